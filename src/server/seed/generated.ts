import type {World} from '#server/call.ts';

export function plantGenerated(_world: World, _size: 'large' | 'huge', _say: (line: string) => void): void {}
