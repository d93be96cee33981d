// An invitation's token may stand behind #, where no server and no log sees it.
(() => {
	const field = document.querySelector("input#token");
	const token = new URLSearchParams(location.hash.slice(1)).get("token") || location.hash.slice(1);
	const join = document.querySelector("a#join");
	if (field && token) {
		field.value = token;
		history.replaceState(null, "", location.pathname + location.search);
	} else if (join && /^[0-9A-Za-z-]{20,}$/.test(token)) { // URL#TOKEN, as cairn team invite prints it, led to the sign-in
		location.replace(join.href + "#token=" + token);
	}
})();
