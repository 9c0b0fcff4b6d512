declare module 'marked-terminal' {
  import type {MarkedExtension} from 'marked';

  type Paint = (text: string) => string;

  export function markedTerminal(options: Readonly<Record<string, Paint | boolean | number | object>>): MarkedExtension;
}
