// Sets the chosen theme before the first paint. Without one, the system's theme applies.
try {
	const theme = localStorage.getItem("parley:theme");
	if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
} catch {}
