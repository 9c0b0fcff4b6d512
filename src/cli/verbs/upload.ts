import type {FileSource} from '#api/multipart.ts';
import type {StateContext} from '#cli/account-access/with-state.ts';
import {type CliIo, PlainFailure, print, UsageError, writeControls} from '#cli/io.ts';
import {deliverMessage, unconfirmedFailure} from '#cli/messages/deliver-message.ts';
import {conversationFromFlags} from '#cli/messages/destination-arguments.ts';
import {openFileSource, stdinChunks, withReadFailures} from '#cli/messages/local-files.ts';
import {type UploadResult, uploadFile, uploadProblem} from '#state/actions/messages.ts';
import type {Conversation} from '#state/model/conversation.ts';
import type {SessionContext} from '#state/session-context.ts';
import {printableLine} from '#std/printable.ts';
import {sessionVerb} from './account-verb.ts';
import {checkSending, requireRecipient, sentResult} from './send.ts';
import {printResult, type VerbArguments, type VerbResult, type VerbRunner} from './verb-table.ts';

const maxStdinBytes = 256 * 1024 * 1024;

export const upload: VerbRunner<'upload'> = sessionVerb(
  async (verbArguments, io) => {
    const {values, words} = verbArguments;
    if (values.to.length === 0 && (values.message ?? values.topic) !== undefined) {
      throw new UsageError('-m and --topic can only be used with --to.');
    }
    if (values.name !== undefined && words.length > 1) throw new UsageError('--name can only be used with one file.');
    const files = await filesFrom(verbArguments, io);
    const needs = values.to.length === 0 ? ({fetch: ['realm'], people: 'self'} as const) : requireRecipient(values.to);
    return {...needs, files};
  },
  async (context, {files}) => {
    const {state, io, session, values} = context;
    const to = values.to.length === 0 ? undefined : conversationFromFlags(state, values.to, values.topic);
    // Checked before the upload. The links are not known yet, but they are short.
    if (to !== undefined) checkSending(context, to, values.message ?? '');
    const links = await uploadAll(session, files, io);
    return to === undefined ? linksResult(links) : sendLinks(context, session, values, to, links);
  },
);

async function filesFrom({values, words}: VerbArguments<'upload'>, io: CliIo): Promise<FileSource[]> {
  const files: FileSource[] = [];
  for (const word of words) {
    const file = word === '-' ? await fromStdin(values.name, io) : await openFileSource(word, io);
    files.push(values.name === undefined ? file : {...file, name: values.name});
  }
  return files;
}

async function fromStdin(name: string | undefined, io: CliIo): Promise<FileSource> {
  if (name === undefined) throw new UsageError('Standard input has no file name. Give one with --name.');
  const data = new Blob(await stdinChunks(io, maxStdinBytes, 'Standard input is larger than 256 MiB.'));
  return {name, size: data.size, data};
}

async function uploadAll(context: SessionContext, files: readonly FileSource[], io: CliIo): Promise<UploadResult[]> {
  for (const file of files) {
    const problem = uploadProblem(file, context.cache.state.server.maxFileUploadSizeMib);
    if (problem !== undefined) throw new PlainFailure(problem);
  }
  const results: UploadResult[] = [];
  for (const file of files) {
    const progress = progressOf(file.name, io);
    try {
      const send = () => uploadFile(context, {file, onProgress: progress.show});
      results.push(await withReadFailures(file.name, send, context.signal));
    } catch (error) {
      // Prints the links of the files that were uploaded, because they can be used.
      for (const {markdown} of results) print(io, printableLine(markdown));
      throw error;
    } finally {
      progress.end();
    }
  }
  return results;
}

/** Shows the progress of an upload on a terminal. */
function progressOf(name: string, {outputIsTty, stderr}: CliIo) {
  let lastPercent = -1;
  return {
    show: (sent: number, size: number) => {
      const percent = Math.floor((sent / Math.max(size, 1)) * 100);
      if (!outputIsTty || percent === lastPercent) return;
      lastPercent = percent;
      writeControls(stderr, `\r${printableLine(name)} ${percent} %`);
    },
    end: () => {
      if (lastPercent >= 0) writeControls(stderr, '\r\u001b[K');
    },
  };
}

function linksResult(links: readonly UploadResult[]): VerbResult {
  return {json: links, text: links.map(({markdown}) => printableLine(markdown)).join('\n')};
}

async function sendLinks(
  {io, state}: StateContext,
  context: SessionContext,
  values: VerbArguments<'upload'>['values'],
  conversation: Conversation,
  links: readonly UploadResult[],
): Promise<VerbResult> {
  const content = [...(values.message === undefined ? [] : [values.message]), ...links.map((link) => link.markdown)];
  const {entryId, delivery, outbox} = await deliverMessage(context, {conversation, content: content.join('\n')}, io);
  if (delivery.kind === 'sent') {
    return sentResult(state, conversation, delivery.messageId, {files: links});
  }
  printResult(io, values, linksResult(links));
  if (delivery.kind === 'unconfirmed') throw unconfirmedFailure(delivery, context);
  outbox.discard(entryId);
  const text = `The files were uploaded, but the message was not sent: ${delivery.problem}`;
  throw new PlainFailure(text, delivery.exitCode);
}
