import {resolve} from 'node:path';
import {print, printJson} from '#cli/io.ts';
import {readStdin} from '#cli/read-stdin.ts';
import {highlightCode} from '#content/highlight/highlight-code.ts';
import {unicodeGlyphs} from '#content/render/glyphs.ts';
import {renderMessage} from '#content/render/render-message.ts';
import type {RenderOptions} from '#content/render/render-options.ts';
import {ansiLine, lineToText} from '#content/styled-text/ansi.ts';
import {colorDepthOf} from '#theme/color-depth.ts';
import {themes} from '#theme/themes.ts';
import {emptyWorld, readWorldFile} from './render-world.ts';
import type {VerbRunner} from './run.ts';

/** For programs, lines are not broken unless a width is asked for. */
const [usualWidth, jsonWidth] = [80, 300];

/** Text for programs: what was written, with as little as possible of what we draw around it. */
const bare: Partial<RenderOptions> = {
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
    width: values.width ?? (values.json ? jsonWidth : (io.columns ?? usualWidth)),
    expanded: values.expanded,
    alertWords: world.alertWords,
    hour12: world.hour12,
    now: io.clock.now(),
    ...(world.zone === undefined ? {} : {zone: world.zone}),
  };
  if (values.json) {
    const {lines, links} = renderMessage(message, world.context, {...options, ...bare});
    printJson(io, {lines: lines.map(lineToText), links});
    return undefined;
  }
  const look = themes.default.styleSheet(values.color ?? colorDepthOf(io.env, io.outputIsTty));
  const painted = look.isPlain ? {} : {highlight: await highlights(message, world.context, options)};
  const {lines} = renderMessage(message, world.context, {...options, ...painted, footLinks: true});
  for (const line of lines) print(io, ansiLine(line, look));
  return undefined;
};

type Highlight = NonNullable<RenderOptions['highlight']>;

/** A first rendering says which code there is to highlight. */
async function highlights(
  ...[message, context, options]: Parameters<typeof renderMessage>
): Promise<Highlight> {
  const asked = new Map<string, {language: string; code: string}>();
  const key = (language: string, code: string) => `${language}\n${code}`;
  renderMessage(message, context, {
    ...options,
    highlight: (language, code) => {
      asked.set(key(language, code), {language, code});
      return undefined;
    },
  });
  const ready = new Map<string, Awaited<ReturnType<typeof highlightCode>>>();
  for (const [name, {language, code}] of asked) ready.set(name, await highlightCode(language, code));
  return (language, code) => ready.get(key(language, code));
}
