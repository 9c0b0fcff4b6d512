import {resolve} from 'node:path';
import {messageNeeds, type StateContext, withState} from '#cli/account-access/with-state.ts';
import {type ExitCode, exitCodes} from '#cli/exit-codes.ts';
import {ExportFolder, withFileFailures} from '#cli/export/export-folder.ts';
import {fetchPages} from '#cli/export/fetch-pages.ts';
import {htmlFormat} from '#cli/export/html-format.ts';
import {markdownFormat} from '#cli/export/markdown-format.ts';
import {FileSaver} from '#cli/export/save-files.ts';
import {writePages} from '#cli/export/write-pages.ts';
import {PlainFailure} from '#cli/failures.ts';
import {type CliIo, print, printJson, printNotice, writeControls} from '#cli/io.ts';
import {narrowFromWords} from '#cli/messages/destination-arguments.ts';
import {organizationUrl} from '#cli/messages/message-text.ts';
import {UsageError} from '#cli/usage-error.ts';
import {wireNarrow} from '#state/fetches/fetch-page.ts';
import {initialState} from '#state/initial-state.ts';
import {channelIdOfNarrow, type Narrow} from '#state/model/narrow.ts';
import {unreadableReason} from '#state/selectors/permissions/channel-permissions.ts';
import {countedNoun} from '#ui/format/counted-noun.ts';
import {resolveLinks} from './read.ts';
import type {VerbRunner} from './verb-runner.ts';
import type {VerbArguments} from './verb-table.ts';

const defaultMaxFile = 100;
/** The number of messages between two lines of progress when the output is not a terminal. */
const progressStep = 10_000;

export const exportMessages: VerbRunner<'export'> = (verbArguments, io, signal) => {
  const {values, words, matching} = verbArguments;
  const out = words.at(-1) ?? '';
  const narrowWords = words.slice(0, -1);
  if (out.trim() === '') throw new UsageError('Name the folder to save to.');
  if (values.all && narrowWords.length > 0) throw new UsageError('Give either NARROW or --all, not both.');
  if (!values.all && narrowWords.join('').trim() === '') {
    throw new UsageError('Name what to save, and then the folder; or use --all for all conversations.');
  }
  // All users, because messages name those who voted and reacted by id.
  return withState(values, io, signal, {fetch: messageNeeds, people: 'all'}, async (initialContext) => {
    // Muted users are named in one's own copy.
    const context = {...initialContext, state: {...initialContext.state, mutedUsers: initialState.mutedUsers}};
    const {narrow} = await resolveLinks(context, narrowFromWords(context.state, narrowWords, matching));
    const path = resolve(io.cwd, out);
    const {state, api} = context;
    const wire = JSON.stringify(wireNarrow(narrow, state.self.userId));
    return withFileFailures(path, async () => {
      const folder = ExportFolder.open(path, {site: api.connection.site, userId: state.self.userId, narrow: wire});
      return exportTo(folder, narrow, context, verbArguments).finally(() => folder.close());
    });
  });
};

async function exportTo(
  folder: ExportFolder,
  narrow: Narrow,
  context: StateContext,
  {values}: VerbArguments<'export'>,
): Promise<ExitCode> {
  const {state, io} = context;
  const before = folder.messageCount;
  const files = new FileSaver(context, folder, (values['max-file'] ?? defaultMaxFile) * 1024 * 1024);
  const progress = progressOf(io, folder, files);
  const {isLimited} = await fetchPages(context, narrow, folder, files, progress.show).finally(progress.end);
  const channelId = channelIdOfNarrow(narrow);
  const reason =
    channelId === undefined || folder.messageCount > 0 ? undefined : unreadableReason(state, channelId, io.clock.now());
  if (reason !== undefined) throw new PlainFailure(reason, exitCodes.refused);
  const {format = 'html'} = values;
  const pageFormat = format === 'jsonl' ? undefined : format === 'html' ? htmlFormat : markdownFormat;
  if (pageFormat !== undefined) await writePages(folder, pageFormat, organizationUrl(state));
  const start = pageFormat === undefined ? folder.fileAt('messages.jsonl') : folder.fileAt(`index.${pageFormat.name}`);
  if (isLimited) printNotice(io, 'The server does not show older messages to this organization.');
  if (files.problemCount > 0) {
    printNotice(io, `${countedNoun(files.problemCount, 'file')} could not be saved. The messages say why.`);
  }
  const added = folder.messageCount - before;
  if (values.json) {
    printJson(io, {messages: folder.messageCount, added, files: files.saved, unsavedFiles: files.problemCount, start});
  } else {
    const counts = before === 0 ? countedNoun(added, 'message') : countedNoun(added, 'new message');
    print(io, `Saved ${counts} and ${countedNoun(files.saved, 'file')}: ${start}`);
  }
  return exitCodes.ok;
}

/** Shows the progress on standard error: on one line of a terminal, and otherwise now and then on a line of its own. */
function progressOf(io: CliIo, folder: ExportFolder, files: FileSaver) {
  let printed = folder.messageCount;
  const text = () => `${countedNoun(folder.messageCount, 'message')}, ${countedNoun(files.saved, 'file')}`;
  return {
    show: () => {
      if (io.outputIsTty) writeControls(io.stderr, `\r${text()}\u001b[K`);
      else if (folder.messageCount - printed >= progressStep) {
        printed = folder.messageCount;
        printNotice(io, text());
      }
    },
    end: () => {
      if (io.outputIsTty) writeControls(io.stderr, '\r\u001b[K');
    },
  };
}
