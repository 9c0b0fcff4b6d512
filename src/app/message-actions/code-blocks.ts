import type {App} from '#app/core/app.ts';
import {copyText} from '#app/core/copy-text.ts';
import {openPicker} from '#app/overlays/picker.ts';
import {toastResult} from '#app/requests/server-request.ts';
import {withFacts} from '#content/message-facts.ts';
import {parseMessage} from '#content/parse-message.ts';
import type {CodeBlockToken, MessageToken} from '#content/tokens.ts';
import type {Message} from '#state/model/message.ts';
import type {AppReader} from '#ui/core/app-reader.ts';
import {messageContext} from '#ui/format/message-context.ts';
import {countedNoun} from '#wording/counted-noun.ts';

type Use = 'copy' | 'save';

/** Returns why the message has no code to copy; undefined when it has some. */
export function codeProblem(app: AppReader, message: Message): string | undefined {
  return codeBlocks(app, message).length === 0 ? 'This message has no code block.' : undefined;
}

/** Returns the code blocks as they are shown from the top. Those in a closed spoiler are left out. */
function codeBlocks({state, screen}: AppReader, {id, content, facts}: Message): readonly CodeBlockToken[] {
  // Most messages have none, and the message menu asks for each.
  if (!/```|~~~|^(?: {4}|\t)/m.test(content)) return [];
  const tokens = parseMessage(content, withFacts(messageContext(state), facts));
  return blocksIn(tokens, screen.expandedMessageIds.has(id));
}

function blocksIn(tokens: readonly MessageToken[], isExpanded: boolean): readonly CodeBlockToken[] {
  return tokens.flatMap((token): readonly CodeBlockToken[] => {
    if (token.type === 'code_block') return [token];
    if (token.type === 'quote') return blocksIn(token.children, isExpanded);
    if (token.type === 'list') return token.items.flatMap(({children}) => blocksIn(children, isExpanded));
    return token.type === 'spoiler' && isExpanded ? blocksIn(token.children, isExpanded) : [];
  });
}

/** Copies or saves the code block of a message; asks which one where there are several. */
export function useCodeBlock(app: App, message: Message, use: Use): void {
  const blocks = codeBlocks(app, message);
  const [only] = blocks;
  if (only !== undefined && blocks.length === 1) {
    takeBlock(app, only, use);
    return;
  }
  openPicker(app, {
    id: 'code blocks',
    title: use === 'copy' ? 'Copy a code block' : 'Save a code block',
    isMenu: true,
    hint: use === 'copy' ? {Enter: 'copies', Tab: 'saves'} : {Enter: 'saves', Tab: 'copies'},
    rows: () =>
      blocks.map((block, at) => {
        const label = block.text.split('\n').find((line) => line.trim() !== '') ?? '';
        return {key: String(at), label: label.trim(), detail: blockText(block), right: String(at + 1)};
      }),
    accept: (from, {key}, how) => {
      const block = blocks[Number(key)];
      if (block === undefined) return;
      from.closeOverlay();
      const other = use === 'copy' ? 'save' : 'copy';
      takeBlock(from, block, how === 'tab' ? other : use);
    },
  });
}

/** Returns `python, 3 lines`. */
function blockText({language, text}: CodeBlockToken): string {
  const lines = countedNoun(text.split('\n').length, 'line');
  return language === undefined ? lines : `${language}, ${lines}`;
}

/** The ends of file names of languages whose name after a fence is not one. */
const fileEnds: Readonly<Record<string, string>> = {
  python: 'py',
  python3: 'py',
  javascript: 'js',
  typescript: 'ts',
  bash: 'sh',
  shell: 'sh',
  console: 'txt',
  text: 'txt',
  markdown: 'md',
  rust: 'rs',
  ruby: 'rb',
  perl: 'pl',
  haskell: 'hs',
  kotlin: 'kt',
  'c++': 'cpp',
  'c#': 'cs',
};

function takeBlock(app: App, block: CodeBlockToken, use: Use): void {
  const {text, language = 'text'} = block;
  if (use === 'copy') {
    copyText(app, text, `the code block (${blockText(block)})`);
    return;
  }
  const end = fileEnds[language] ?? (/^[a-z0-9]{1,8}$/.test(language) ? language : 'txt');
  const saved = app.device.saveFile(`code.${end}`, bytesOf(`${text}\n`));
  toastResult(
    app,
    saved.then((path) => `Saved ${path}`),
  );
}

async function* bytesOf(text: string): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode(text);
}
