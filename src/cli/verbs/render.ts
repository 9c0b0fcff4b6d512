import {resolve} from 'node:path';
import {printJson, printStyled} from '#cli/io.ts';
import {readStdin} from '#cli/read-stdin.ts';
import {highlightCode} from '#content/highlight/highlight-code.ts';
import {unicodeGlyphs} from '#content/render/glyphs.ts';
import {renderMessage} from '#content/render/render-message.ts';
import type {RenderOptions} from '#content/render/render-options.ts';
import {ansiLine, lineToText} from '#content/styled-text/ansi.ts';
import {colorDepthOf} from '#theme/color-depth.ts';
import {themes} from '#theme/themes.ts';
import {emptyWorld, readWorldFile} from './render-world.ts';
import type {VerbRunner} from './verb-runner.ts';

/** JSON lines are wide enough that most texts are not wrapped, unless a width is given. */
const [defaultWidth, jsonWidth] = [80, 300];

/** Options for JSON output: the text itself, with as few added characters as possible. */
const jsonOptions: Partial<RenderOptions> = {
  linkNumbers: false,
  fileMarks: false,
  expanded: true,
  glyphs: {...unicodeGlyphs, codeBar: ' ', open: ' ', topic: '>'},
};

export const render: VerbRunner<'render'> = async ({values}, io) => {
  const world = values.world === undefined ? emptyWorld : readWorldFile(resolve(io.cwd, values.world));
  const source = (await readStdin(io)).replace(/\r?\n$/, '');
  const message = {source, ...(world.senderName === undefined ? {} : {senderName: world.senderName})};
  const options: RenderOptions = {
    width: values.width ?? (values.json ? jsonWidth : (io.columns ?? defaultWidth)),
    expanded: values.expanded,
    alertWords: world.alertWords,
    hour12: world.hour12,
    now: io.clock.now(),
    ...(world.zone === undefined ? {} : {zone: world.zone}),
  };
  if (values.json) {
    const {lines, links} = renderMessage(message, world.context, {...options, ...jsonOptions});
    printJson(io, {lines: lines.map(lineToText), links});
    return undefined;
  }
  const look = themes.default.styleSheet(values.color ?? colorDepthOf(io.env, io.outputIsTty));
  const highlighting = look.isPlain ? {} : {highlight: await highlights(message, world.context, options)};
  const {lines} = renderMessage(message, world.context, {...options, ...highlighting, footLinks: true});
  for (const line of lines) await printStyled(io, ansiLine(line, look));
  return undefined;
};

type Highlight = NonNullable<RenderOptions['highlight']>;

/** Highlights the code blocks. A first rendering finds out which there are. */
async function highlights(...[message, context, options]: Parameters<typeof renderMessage>): Promise<Highlight> {
  const requested = new Map<string, {language: string; code: string}>();
  const key = (language: string, code: string) => `${language}\n${code}`;
  renderMessage(message, context, {
    ...options,
    highlight: (language, code) => {
      requested.set(key(language, code), {language, code});
      return undefined;
    },
  });
  const ready = new Map<string, Awaited<ReturnType<typeof highlightCode>>>();
  for (const [name, {language, code}] of requested) ready.set(name, await highlightCode(language, code));
  return (language, code) => ready.get(key(language, code));
}
