declare module "stopword" {
	/** English. */
	export const eng: string[];
}
