import type {FileSource} from '#api/multipart.ts';
import {acting} from '#cli/account-access/with-session-context.ts';
import {type World, withWorld} from '#cli/account-access/with-state.ts';
import {type ExitCode, exitCodes} from '#cli/exit-codes.ts';
import {PlainFailure} from '#cli/failures.ts';
import {type CliIo, print, printJson} from '#cli/io.ts';
import {deliver, doubt} from '#cli/messages/deliver-message.ts';
import {conversationFrom, mayNamePeople} from '#cli/messages/destination-arguments.ts';
import {fileSource, sending} from '#cli/messages/local-files.ts';
import {conversationJson} from '#cli/messages/message-json.ts';
import {UsageError} from '#cli/usage-error.ts';
import {tooLargeToUpload, type Uploaded, uploadFile} from '#state/actions/uploads.ts';
import type {Conversation} from '#state/model/conversation.ts';
import {conversationTitle} from '#state/selectors/names/names.ts';
import type {Context} from '#state/session-context.ts';
import {printableLine} from '#std/printable.ts';
import type {Run} from './run.ts';
import {checkSending, sendNeeds} from './send.ts';
import type {Given} from './verb-table.ts';

const mostFromStdin = 256 * 1024 * 1024;

export const upload: Run<'upload'> = async (given, io, signal) => {
  const {values, words} = given;
  if (values.to.length === 0 && (values.message ?? values.topic) !== undefined) {
    throw new UsageError('-m and --topic go with --to.');
  }
  if (values.name !== undefined && words.length > 1) throw new UsageError('--name is for one file.');
  const files = await filesFrom(given, io);
  const needs =
    values.to.length === 0
      ? ({fetch: ['realm'], people: 'self'} as const)
      : ({fetch: sendNeeds, people: values.to.some(mayNamePeople) ? 'all' : 'self'} as const);
  return withWorld(values, io, signal, needs, (world) =>
    acting(world, async (context) => {
      const to = values.to.length === 0 ? undefined : conversationFrom(world.state, values.to, values.topic);
      // Before anything is uploaded. The links are not known yet, but they are short.
      if (to !== undefined) checkSending(world, to, values.message ?? '');
      const links = await uploaded(context, files, io);
      return to === undefined
        ? printLinks(io, links, values.json)
        : sendLinks(world, context, given, to, links);
    }),
  );
};

async function filesFrom({values, words}: Given<'upload'>, io: CliIo): Promise<FileSource[]> {
  const files: FileSource[] = [];
  for (const word of words) {
    const file = word === '-' ? await fromStdin(values.name, io) : await fileSource(word, io);
    files.push(values.name === undefined ? file : {...file, name: values.name});
  }
  return files;
}

async function fromStdin(name: string | undefined, io: CliIo): Promise<FileSource> {
  if (name === undefined)
    throw new UsageError('What comes from standard input has no name: give one with --name.');
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of io.stdin) {
    const bytes = Buffer.from(chunk);
    size += bytes.length;
    if (size > mostFromStdin) throw new PlainFailure('Standard input is too long for a file.');
    chunks.push(bytes);
  }
  const data = new Blob(chunks);
  return {name, size: data.size, data};
}

async function uploaded(context: Context, files: readonly FileSource[], io: CliIo): Promise<Uploaded[]> {
  for (const {name, size} of files) {
    const problem = tooLargeToUpload(context, size);
    if (problem !== undefined) throw new PlainFailure(`${name}: ${problem}`);
    if (size === 0) throw new PlainFailure(`${name} is empty.`);
  }
  const done: Uploaded[] = [];
  for (const file of files) {
    const progress = progressOf(file.name, io);
    try {
      const send = () => uploadFile(context, {file, onProgress: progress.show});
      done.push(await sending(file.name, send, context.signal));
    } catch (error) {
      // What is there already is worth something.
      for (const {markdown} of done) print(io, printableLine(markdown));
      throw error;
    } finally {
      progress.end();
    }
  }
  return done;
}

/** How far it is, for somebody who looks on. */
function progressOf(name: string, {outputIsTty, stderr}: CliIo) {
  let shown = -1;
  return {
    show: (sent: number, size: number) => {
      const percent = Math.floor((sent / Math.max(size, 1)) * 100);
      if (!outputIsTty || percent === shown) return;
      shown = percent;
      stderr.write(`\r${printableLine(name)} ${percent} %`);
    },
    end: () => {
      if (shown >= 0) stderr.write('\r\u001b[K');
    },
  };
}

function printLinks(io: CliIo, links: readonly Uploaded[], json: boolean): ExitCode {
  if (json) printJson(io, links);
  else print(io, links.map(({markdown}) => printableLine(markdown)).join('\n'));
  return exitCodes.ok;
}

async function sendLinks(
  {io, state}: World,
  context: Context,
  {values}: Given<'upload'>,
  conversation: Conversation,
  links: readonly Uploaded[],
): Promise<ExitCode> {
  const content = [
    ...(values.message === undefined ? [] : [values.message]),
    ...links.map((link) => link.markdown),
  ];
  const {entryId, delivery, outbox} = await deliver(context, {conversation, content: content.join('\n')}, io);
  if (delivery.kind === 'sent') {
    const place = conversationJson(state, conversation);
    if (values.json)
      printJson(io, {id: delivery.messageId, status: 'sent', conversation: place, files: links});
    else print(io, `Sent to ${printableLine(conversationTitle(state, conversation))}.`);
    return exitCodes.ok;
  }
  printLinks(io, links, values.json);
  if (delivery.kind === 'unconfirmed') throw doubt(delivery, context);
  outbox.discard(entryId);
  const words = `The files are uploaded, but the message was not sent: ${delivery.problem}`;
  throw new PlainFailure(words, delivery.exitCode);
}
