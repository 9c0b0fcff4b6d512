import type {ApiClient, Reply} from '#test/support/api-client.ts';

/** A kind of personal data that tests create: how it is listed, and the request that removes one. */
interface PersonalData {
  readonly list: string;
  readonly key: string;
  readonly id: string;
  readonly path: (id: string | number) => string;
}

const personalData: readonly PersonalData[] = [
  {list: '/drafts', key: 'drafts', id: 'id', path: (id) => `/drafts/${id}`},
  {list: '/saved_snippets', key: 'saved_snippets', id: 'id', path: (id) => `/saved_snippets/${id}`},
  {
    list: '/scheduled_messages',
    key: 'scheduled_messages',
    id: 'scheduled_message_id',
    path: (id) => `/scheduled_messages/${id}`,
  },
  {list: '/reminders', key: 'reminders', id: 'reminder_id', path: (id) => `/reminders/${id}`},
  {list: '/attachments', key: 'attachments', id: 'id', path: (id) => `/attachments/${id}`},
  {
    list: '/navigation_views',
    key: 'navigation_views',
    id: 'fragment',
    path: (id) => `/navigation_views/${encodeURIComponent(id)}`,
  },
];

/** What an account had before a test. */
interface PersonalState {
  readonly ids: ReadonlyMap<string, ReadonlySet<string | number>>;
  readonly alertWords: readonly string[];
  readonly mutedIds: ReadonlySet<number>;
}

/** Reads what a test may add to an account. Endpoints that the server lacks list nothing. */
export async function personalState(client: ApiClient): Promise<PersonalState> {
  const ids = new Map<string, Set<string | number>>();
  for (const {list, key, id} of personalData) {
    const {body} = await client.raw('GET', list);
    ids.set(list, new Set((body[key] ?? []).map((entry: Reply) => entry[id])));
  }
  const {alert_words, muted_users} = await client.post('/register', {
    event_types: ['alert_words', 'muted_users'],
    fetch_event_types: ['alert_words', 'muted_users'],
  });
  return {
    ids,
    alertWords: alert_words,
    mutedIds: new Set(muted_users.map((entry: Reply) => entry.id)),
  };
}

/** Removes what was added to an account since `before`. A refusal is ignored: the next run removes it or ignores it. */
export async function removeAdded(client: ApiClient, before: PersonalState): Promise<void> {
  const now = await personalState(client);
  for (const {list, path} of personalData) {
    for (const id of now.ids.get(list) ?? []) {
      if (before.ids.get(list)?.has(id) !== true) await client.raw('DELETE', path(id));
    }
  }
  const words = now.alertWords.filter((word) => !before.alertWords.includes(word));
  if (words.length > 0) await client.raw('DELETE', '/users/me/alert_words', {alert_words: words});
  for (const id of now.mutedIds) {
    if (!before.mutedIds.has(id)) await client.raw('DELETE', `/users/me/muted_users/${id}`);
  }
}

/** Archives the channels and folders whose names start with this prefix. */
export async function archiveChannels(client: ApiClient, prefix: string): Promise<void> {
  const {streams} = await client.get('/streams');
  const isOurs = ({name}: Reply) => name.startsWith(prefix);
  for (const {stream_id: id} of streams.filter(isOurs)) {
    await client.raw('PATCH', `/streams/${id}`, {folder_id: null});
    await client.raw('DELETE', `/streams/${id}`);
  }
  const {body} = await client.raw('GET', '/channel_folders');
  for (const {id} of (body.channel_folders ?? []).filter(isOurs)) {
    await client.raw('PATCH', `/channel_folders/${id}`, {is_archived: true});
  }
}
