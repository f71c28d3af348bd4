import { PageHeader } from "../ui/page.tsx";
export const HomePage = () => <PageHeader title="Home" />;
