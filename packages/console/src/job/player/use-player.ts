import { useEffect, useRef, useState } from "react";
import { createPlayer, type Player } from "./player.ts";

/** Creates the player of a job's recording for as long as the screen is shown. */
export function usePlayer(loadUrl: () => Promise<string>, startAt: number | undefined): Player | undefined {
	const [player, setPlayer] = useState<Player>();
	const load = useRef(loadUrl);
	load.current = loadUrl;
	const start = useRef(startAt);
	useEffect(() => {
		const created = createPlayer(() => load.current());
		if (start.current) created.seek(start.current);
		setPlayer(created);
		return created.end;
	}, []);
	return player;
}
