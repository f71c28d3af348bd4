import { PageHeader } from "../ui/page.tsx";
export const EditorPage = () => <PageHeader title="Edit" />;
