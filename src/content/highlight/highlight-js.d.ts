/** The part of highlight.js that Parley uses. Its own types would add DOM globals to every file. */

declare module 'highlight.js/lib/core.js' {
  export type Grammar = (highlighter: Highlighter) => unknown;
  export interface TreeNode {
    readonly kind?: string;
    readonly children: readonly (TreeNode | string)[];
  }
  export interface Highlighter {
    highlight(
      code: string,
      options: {language: string; ignoreIllegals: boolean},
    ): {readonly emitter: {readonly root: TreeNode}; readonly errorRaised?: Error};
    registerLanguage(name: string, grammar: Grammar): void;
  }
  const highlighter: Highlighter;
  // biome-ignore lint/style/noDefaultExport: The module has a default export.
  export default highlighter;
}

declare module 'highlight.js/lib/languages/*' {
  import type {Grammar} from 'highlight.js/lib/core.js';

  const grammar: Grammar;
  // biome-ignore lint/style/noDefaultExport: The modules have a default export.
  export default grammar;
}
