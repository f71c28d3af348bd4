import { PageHeader } from "../ui/page.tsx";
export const JobsPage = () => <PageHeader title="Jobs" />;
