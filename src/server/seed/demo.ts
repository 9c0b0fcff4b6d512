import type {World} from '#server/call.ts';

export async function plantDemo(_world: World): Promise<void> {}
