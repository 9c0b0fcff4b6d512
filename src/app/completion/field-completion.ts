import type {Channel} from '#state/model/channel.ts';
import {sortedByName} from '#state/selectors/names/compare-names.ts';
import {findUser, usersNamed} from '#state/selectors/names/find-by-name.ts';
import {presenceStatus} from '#state/selectors/people/presence-status.ts';
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
  channelDetail,
  findChannels,
  findTopics,
  isNewTopic,
  topicDetail,
} from './find-channels-and-topics.ts';
import {findPeople, isAmbiguous} from './find-people.ts';
import {personDetail} from './mention-options.ts';

/** The whole field is the query: what stands behind the cursor is replaced too. */
function wholeField({text}: CompletionContext): {readonly start: number; readonly end: number} {
  return {start: 0, end: text.length};
}

export function channelFieldCompletion(
  state: AccountState,
  situation: CompletionContext,
): Completion | undefined {
  const query = situation.text.trim().replace(/^#/, '');
  const isSame = ({name}: Channel) => name.toLowerCase() === query.toLowerCase();
  const found = findChannels(state, query, situation.remap);
  if (found.length === 1 && found[0] !== undefined && isSame(found[0].channel)) return undefined;
  const options = found.map(({channel, ranges}): CompletionOption => {
    return {label: channel.name, detail: channelDetail(state, channel), insert: channel.name, ranges};
  });
  return completionOf('channel', wholeField(situation), options);
}

/**
 * The topics there are. What was written stays what it is unless somebody chooses: when nobody has spoken there it is
 * offered too, marked as new, so that a slip of the finger shows.
 */
export function topicFieldCompletion(
  state: AccountState,
  situation: CompletionContext,
): Completion | undefined {
  const {conversation, remap} = situation;
  if (conversation?.kind !== 'topic') return undefined;
  const written = situation.text.trim();
  const found = findTopics(state, conversation.channelId, written, remap);
  const options = found.map(({row, ranges}): CompletionOption => {
    return {label: row.display, detail: topicDetail(row), insert: row.conversation.topic, ranges};
  });
  if (isNewTopic(state, conversation.channelId, written)) {
    options.push({label: written, detail: 'new topic', insert: written, ranges: [], isNew: true});
  }
  return completionOf('topic', wholeField(situation), options, 'none');
}

/** Names with commas between them; the one at the cursor is completed, and who is there already is not offered again. */
export function peopleFieldCompletion(
  state: AccountState,
  situation: CompletionContext,
): Completion | undefined {
  const {text, cursor, conversation, nowMs, remap} = situation;
  const from = text.slice(0, cursor).lastIndexOf(',') + 1;
  const comma = text.indexOf(',', cursor);
  const end = comma < 0 ? text.length : comma;
  const segment = text.slice(from, end);
  const query = segment.trim().replace(/^@/, '');
  const start = Math.min(cursor, from + segment.length - segment.trimStart().length);
  const others = new Set(
    chosenIds(state, [...text.slice(0, from).split(','), ...text.slice(end).split(',')]),
  );
  const found = findPeople(state, {query, conversation, remap}).filter(({user}) => !others.has(user.id));
  const options = found.map(({user, ranges}): CompletionOption => {
    const ambiguous = isAmbiguous(state, user);
    return {
      label: user.fullName,
      detail: personDetail(state, user, ambiguous),
      insert: `${personText(state, user.id)}${comma < 0 ? ', ' : ''}`,
      ranges,
      ...(!user.isBot && {presence: presenceStatus(state, user.id, nowMs).status}),
    };
  });
  return completionOf('people', {start, end}, options, query === '' && others.size > 0 ? 'none' : 'first');
}

/** Only what is cheap to know: a name that means nobody yet would be compared with everybody's. */
function chosenIds(state: AccountState, names: readonly string[]): readonly number[] {
  return names.flatMap((name) => {
    const isKnown = usersNamed(state, name).length > 0 || /[@|]|^\s*(?:\d+|me)\s*$/i.test(name);
    const user = isKnown ? findUser(state, name) : undefined;
    return user !== undefined && 'found' in user ? [user.found.id] : [];
  });
}

/** Of a path the last part is completed; directories go on with what is in them. */
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

/** All of them, directories first, until something is written; then by how well they fit. */
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
