import type {Blocks} from './block.ts';

export const usersBlocks: Blocks = {};
