/** What is used of highlight.js. Its own types would make every file of the program believe that it has a DOM. */

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
  // biome-ignore lint/style/noDefaultExport: That is how the module is.
  export default highlighter;
}

declare module 'highlight.js/lib/languages/*' {
  import type {Grammar} from 'highlight.js/lib/core.js';

  const grammar: Grammar;
  // biome-ignore lint/style/noDefaultExport: That is how the modules are.
  export default grammar;
}
