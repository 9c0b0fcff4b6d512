import type {FileSource} from '#api/multipart.ts';
import {withSessionContext} from '#cli/account-access/with-session-context.ts';
import {type StateContext, withState} from '#cli/account-access/with-state.ts';
import {type ExitCode, exitCodes} from '#cli/exit-codes.ts';
import {PlainFailure} from '#cli/failures.ts';
import {type CliIo, print, printJson} from '#cli/io.ts';
import {deliverMessage, unconfirmedFailure} from '#cli/messages/deliver-message.ts';
import {conversationFromFlags, mayNamePeople} from '#cli/messages/destination-arguments.ts';
import {openFileSource, withReadFailures} from '#cli/messages/local-files.ts';
import {conversationJson} from '#cli/messages/message-json.ts';
import {UsageError} from '#cli/usage-error.ts';
import {type UploadResult, uploadFile, uploadSizeProblem} from '#state/actions/uploads.ts';
import type {Conversation} from '#state/model/conversation.ts';
import {conversationTitle} from '#state/selectors/names/names.ts';
import type {SessionContext} from '#state/session-context.ts';
import {printableLine} from '#std/printable.ts';
import type {VerbRunner} from './run.ts';
import {checkSending, sendNeeds} from './send.ts';
import type {VerbArguments} from './verb-table.ts';

const mostFromStdin = 256 * 1024 * 1024;

export const upload: VerbRunner<'upload'> = async (given, io, signal) => {
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
  return withState(values, io, signal, needs, (world) =>
    withSessionContext(world, async (context) => {
      const to =
        values.to.length === 0 ? undefined : conversationFromFlags(world.state, values.to, values.topic);
      // Before anything is uploaded. The links are not known yet, but they are short.
      if (to !== undefined) checkSending(world, to, values.message ?? '');
      const links = await uploaded(context, files, io);
      return to === undefined
        ? printLinks(io, links, values.json)
        : sendLinks(world, context, given, to, links);
    }),
  );
};

async function filesFrom({values, words}: VerbArguments<'upload'>, io: CliIo): Promise<FileSource[]> {
  const files: FileSource[] = [];
  for (const word of words) {
    const file = word === '-' ? await fromStdin(values.name, io) : await openFileSource(word, io);
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

async function uploaded(
  context: SessionContext,
  files: readonly FileSource[],
  io: CliIo,
): Promise<UploadResult[]> {
  for (const {name, size} of files) {
    const problem = uploadSizeProblem(context, size);
    if (problem !== undefined) throw new PlainFailure(`${name}: ${problem}`);
    if (size === 0) throw new PlainFailure(`${name} is empty.`);
  }
  const done: UploadResult[] = [];
  for (const file of files) {
    const progress = progressOf(file.name, io);
    try {
      const send = () => uploadFile(context, {file, onProgress: progress.show});
      done.push(await withReadFailures(file.name, send, context.signal));
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

function printLinks(io: CliIo, links: readonly UploadResult[], json: boolean): ExitCode {
  if (json) printJson(io, links);
  else print(io, links.map(({markdown}) => printableLine(markdown)).join('\n'));
  return exitCodes.ok;
}

async function sendLinks(
  {io, state}: StateContext,
  context: SessionContext,
  {values}: VerbArguments<'upload'>,
  conversation: Conversation,
  links: readonly UploadResult[],
): Promise<ExitCode> {
  const content = [
    ...(values.message === undefined ? [] : [values.message]),
    ...links.map((link) => link.markdown),
  ];
  const {entryId, delivery, outbox} = await deliverMessage(
    context,
    {conversation, content: content.join('\n')},
    io,
  );
  if (delivery.kind === 'sent') {
    const place = conversationJson(state, conversation);
    if (values.json)
      printJson(io, {id: delivery.messageId, status: 'sent', conversation: place, files: links});
    else print(io, `Sent to ${printableLine(conversationTitle(state, conversation))}.`);
    return exitCodes.ok;
  }
  printLinks(io, links, values.json);
  if (delivery.kind === 'unconfirmed') throw unconfirmedFailure(delivery, context);
  outbox.discard(entryId);
  const words = `The files are uploaded, but the message was not sent: ${delivery.problem}`;
  throw new PlainFailure(words, delivery.exitCode);
}
