export const UploadTray = () => null;
