import type {Blocks} from './block.ts';

export const messagesBlocks: Blocks = {};
