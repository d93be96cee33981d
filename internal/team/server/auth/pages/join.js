// An invitation's token may stand behind #, where no server and no log sees it.
(() => {
	const field = document.querySelector("input#token");
	const token = new URLSearchParams(location.hash.slice(1)).get("token") || location.hash.slice(1);
	if (field && token) {
		field.value = token;
		history.replaceState(null, "", location.pathname + location.search);
	}
})();
