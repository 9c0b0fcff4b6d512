import type {CamelKeys} from '#std/camel.ts';
import type {WireSnippet} from '#wire/objects/personal.ts';

export type Snippet = CamelKeys<WireSnippet>;
