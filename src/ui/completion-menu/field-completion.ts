import type {Channel} from '#state/model/channel.ts';
import {exactUser} from '#state/selectors/names/find-by-name.ts';
import {sortedByName} from '#state/selectors/names/names.ts';
import {personText} from '#state/selectors/search/parse-search.ts';
import type {AccountState} from '#state/state.ts';
import {FuzzyIndex} from '#std/fuzzy-index.ts';
import {
  type Completion,
  type CompletionContext,
  type CompletionOption,
  completionOf,
  type FileEntry,
  maxOptions,
} from './completion.ts';
import {
  channelOption,
  findChannels,
  findTopics,
  isNewTopic,
  newTopicOption,
  topicOption,
} from './find-channels-and-topics.ts';
import {findPeople} from './find-people.ts';
import {personOption} from './mention-and-emoji-options.ts';

/** The whole field is the query: text after the cursor is replaced too. */
function wholeField({text}: CompletionContext): {readonly start: number; readonly end: number} {
  return {start: 0, end: text.length};
}

export function channelFieldCompletion(state: AccountState, context: CompletionContext): Completion | undefined {
  const query = context.text.trim().replace(/^#/, '');
  const isSame = ({name}: Channel) => name.toLowerCase() === query.toLowerCase();
  const found = findChannels(state, query, context.remap);
  if (found.length === 1 && found[0] !== undefined && isSame(found[0].channel)) return undefined;
  const options = found.map((one) => channelOption(state, one));
  return completionOf('channel', wholeField(context), options);
}

/**
 * Completes a topic name. Nothing is selected, so the typed text stays unless the user picks; a topic that does not
 * exist is offered too, marked as new, so that typos show.
 */
export function topicFieldCompletion(state: AccountState, context: CompletionContext): Completion | undefined {
  const {conversation, remap} = context;
  if (conversation?.kind !== 'topic') return undefined;
  const written = context.text.trim();
  const found = findTopics(state, conversation.channelId, written, remap);
  const options = found.map((one) => topicOption(one));
  if (isNewTopic(state, conversation.channelId, written)) options.push(newTopicOption(written));
  return completionOf('topic', wholeField(context), options, 'none');
}

/** Completes the name at the cursor in a comma-separated list, without people who are already in it. */
export function peopleFieldCompletion(state: AccountState, context: CompletionContext): Completion | undefined {
  const {text, cursor, conversation, nowMs, remap} = context;
  const from = text.slice(0, cursor).lastIndexOf(',') + 1;
  const comma = text.indexOf(',', cursor);
  const end = comma < 0 ? text.length : comma;
  const segment = text.slice(from, end);
  const query = segment.trim().replace(/^@/, '');
  const start = Math.min(cursor, from + segment.length - segment.trimStart().length);
  const others = new Set(chosenIds(state, [...text.slice(0, from).split(','), ...text.slice(end).split(',')]));
  const found = findPeople(state, {query, conversation, remap}).filter(({user}) => !others.has(user.id));
  const options = found.map((match) => {
    const insert = `${personText(state, match.user.id)}${comma < 0 ? ', ' : ''}`;
    return personOption(state, match, {insert, nowMs});
  });
  return completionOf('people', {start, end}, options, query === '' && others.size > 0 ? 'none' : 'first');
}

/** Returns the users of complete names only: resolving a partial name would compare it with all users. */
function chosenIds(state: AccountState, names: readonly string[]): readonly number[] {
  return names.flatMap((name) => {
    const user = exactUser(state, name);
    return user === undefined ? [] : [user.id];
  });
}

/** Completes the last part of a path; a directory goes on with its files. */
export function fileFieldCompletion({text, cursor, files}: CompletionContext): Completion | undefined {
  if (files === undefined) return undefined;
  const start = text.slice(0, cursor).lastIndexOf('/') + 1;
  const query = text.slice(start, cursor);
  const visible = files.filter(({name}) => !name.startsWith('.') || query.startsWith('.'));
  const options = matchingFiles(visible, query).map(({item, ranges}): CompletionOption => {
    const insert = item.isDirectory ? `${item.name}/` : item.name;
    return {label: insert, insert, ranges, ...(item.isDirectory && {drill: insert})};
  });
  return completionOf('file', {start, end: text.length}, options);
}

/** Returns all files, directories first, for an empty query; otherwise the best matches first. */
function matchingFiles(files: readonly FileEntry[], query: string) {
  if (query === '') {
    const named = sortedByName(files, ({name}) => name);
    const ordered = [...named.filter(isDirectory), ...named.filter((file) => !isDirectory(file))];
    return ordered.map((item) => ({item, ranges: []}));
  }
  const index = new FuzzyIndex<string, FileEntry>();
  for (const file of files) index.put(file.name, file, file.name);
  return index.find(query, {limit: maxOptions});
}

function isDirectory(file: FileEntry): boolean {
  return file.isDirectory;
}
