import type {Blocks} from './block.ts';

export const personalBlocks: Blocks = {};
