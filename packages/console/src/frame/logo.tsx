export const Logo = ({ className = "size-5" }: { className?: string }) => (
	<svg viewBox="0 0 20 20" className={`${className} shrink-0 text-lead`} aria-hidden="true">
		<path
			d="M3 8v4M7.5 5v10M12 7v5M16.5 4v12"
			stroke="currentColor"
			strokeWidth="2.2"
			strokeLinecap="round"
		/>
	</svg>
);
