import type {Blocks} from './block.ts';

export const channelsBlocks: Blocks = {};
