import type {Blocks} from './block.ts';

export const presenceBlocks: Blocks = {};
