import type {Blocks} from './block.ts';

export const groupsBlocks: Blocks = {};
