import { PageHeader } from "../ui/page.tsx";
export const JobPage = () => <PageHeader title="Job" />;
