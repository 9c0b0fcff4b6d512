import type {Blocks} from './block.ts';

export const organizationBlocks: Blocks = {};
