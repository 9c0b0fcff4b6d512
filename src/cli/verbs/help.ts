import {spawn} from 'node:child_process';
import {readFileSync} from 'node:fs';
import {type CliIo, printStyled, UsageError, write} from '#cli/io.ts';
import {type ManualTopic, manualTopics, readManualTopic} from '#content/manual/manual-topics.ts';
import {ansiLine} from '#content/styled-text/ansi.ts';
import {isRunningSources, noticesFile, readProgramFile} from '#std/program-files.ts';
import {colorDepthOf} from '#theme/color-depth.ts';
import {themes} from '#theme/themes.ts';
import {overviewHelp} from './verb-help.ts';
import type {VerbRunner} from './verb-table.ts';

const [defaultWidth, maxWidth] = [80, 100];

/** Shows a chapter of the manual, or the list of verbs. */
export const help: VerbRunner<'help'> = async ({words: [id], values}, io) => {
  if (id === undefined) {
    write(io, overviewHelp());
    return undefined;
  }
  const topic = manualTopics.find((each) => each.id === id);
  if (topic === undefined) throw new UsageError(`There is no manual topic or command “${id}”. ${topicList()}`);
  const text = await chapterText(topic, values.color ?? colorDepthOf(io.env, io.outputIsTty), io);
  await printPaged(io, text);
  return undefined;
};

/** Shows the licences of Parley and of everything that its packages contain. */
export const licenses: VerbRunner<'licenses'> = async (_arguments, io) => {
  const notices = isRunningSources() ? await builtNotices() : readProgramFile(noticesFile);
  await printPaged(io, notices.toString('utf8').trimEnd());
  return undefined;
};

/** Builds the program if its sources have changed: only a build knows what is bundled. */
async function builtNotices(): Promise<Buffer> {
  const {bundleAddress} = await import('#build/run-bundle.ts');
  return readFileSync(new URL(noticesFile, await bundleAddress()));
}

/** Shows a long text in a pager, or prints it where there is no terminal. */
async function printPaged(io: CliIo, text: string): Promise<void> {
  const isPaged = io.outputIsTty && io.restriction === undefined && (await showInPager(text, io));
  if (!isPaged) await printStyled(io, text);
}

function topicList(): string {
  return `Topics: ${manualTopics.map(({id}) => id).join(', ')}.`;
}

async function chapterText(topic: ManualTopic, colors: ReturnType<typeof colorDepthOf>, io: CliIo): Promise<string> {
  const {manualLines} = await import('#content/manual/manual-lines.ts');
  const width = Math.min(io.columns ?? defaultWidth, maxWidth);
  const look = themes.default.styleSheet(colors);
  return manualLines(readManualTopic(topic), width)
    .map((line) => ansiLine(line, look))
    .join('\n');
}

/** Returns false when no pager can be started. */
function showInPager(text: string, {env}: CliIo): Promise<boolean> {
  const command = env.PAGER?.trim() || 'less';
  if (command === 'cat') return Promise.resolve(false);
  return new Promise((resolve) => {
    // -F: no paging if it fits on one screen, -R: colours, -X: the text stays visible afterwards.
    const pager = spawn('/bin/sh', ['-c', command], {
      env: {...env, LESS: env.LESS ?? 'FRX'},
      stdio: ['pipe', 'inherit', 'inherit'],
    });
    pager.once('error', () => resolve(false));
    // The shell exits with 127 when the program does not exist.
    pager.once('exit', (code) => resolve(code !== 127));
    // The reader may quit the pager before its end.
    pager.stdin.on('error', () => {}).end(`${text}\n`);
  });
}
