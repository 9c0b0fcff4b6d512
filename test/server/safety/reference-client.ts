import type {Reply} from '#test/support/api-client.ts';

/**
 * The simplest possible client: applies an event to a registration response, written from the API documentation alone.
 * It shares no code with the server or with Parley's client, so an error shows unless both have the same one.
 */
export function applyEvent(state: Reply, event: Reply): void {
  const apply = appliers[event.type];
  if (apply === undefined) throw new Error(`No applier for ${event.type}: ${JSON.stringify(event)}`);
  apply(state, event);
}

type Applier = (state: Reply, event: Reply) => void;

const nothing: Applier = () => {};

function replaces(key: string, from: string): Applier {
  return (state, event) => {
    state[key] = event[from];
  };
}

function applySetting(state: Reply, event: Reply): void {
  state.user_settings[event.property] = event.value;
}

const appliers: Readonly<Record<string, Applier>> = {
  message: applyMessage,
  update_message: applyUpdateMessage,
  delete_message: (state, event) => forgetMessages(state, event.message_ids ?? [event.message_id]),
  update_message_flags: applyFlags,
  reaction: nothing,
  submessage: nothing,
  typing: nothing,
  typing_edit_message: nothing,
  heartbeat: nothing,
  restart: nothing,
  attachment: nothing,
  presence: (state, event) => Object.assign(state.presences, event.presences),
  user_topic: applyUserTopic,
  muted_topics: replaces('muted_topics', 'muted_topics'),
  muted_users: replaces('muted_users', 'muted_users'),
  alert_words: replaces('alert_words', 'alert_words'),
  user_settings: applySetting,
  user_status: applyUserStatus,
  drafts: listApplier('drafts', {item: 'draft', items: 'drafts', removed: 'draft_id', id: 'id'}),
  saved_snippets: listApplier('saved_snippets', {
    item: 'saved_snippet',
    removed: 'saved_snippet_id',
    id: 'id',
  }),
  scheduled_messages: listApplier('scheduled_messages', {
    item: 'scheduled_message',
    items: 'scheduled_messages',
    removed: 'scheduled_message_id',
    id: 'scheduled_message_id',
  }),
  reminders: listApplier('reminders', {items: 'reminders', removed: 'reminder_id', id: 'reminder_id'}),
  navigation_view: applyNavigationView,
  subscription: applySubscription,
  stream: applyChannel,
  channel_folder: applyFolder,
  default_streams: replaces('realm_default_streams', 'default_streams'),
  default_stream_groups: replaces('realm_default_stream_groups', 'default_stream_groups'),
  device: applyDevice,
  onboarding_steps: replaces('onboarding_steps', 'onboarding_steps'),
  realm_export: nothing,
  realm_user_settings_defaults: (state, {property, value}) => {
    state.realm_user_settings_defaults[property] = value;
  },
  realm_user: applyUser,
  realm_bot: applyBot,
  user_group: applyGroup,
  realm: applyRealm,
  realm_emoji: applyEmoji,
  realm_linkifiers: replaces('realm_linkifiers', 'realm_linkifiers'),
  realm_domains: applyDomain,
  realm_playgrounds: replaces('realm_playgrounds', 'realm_playgrounds'),
  custom_profile_fields: applyProfileFields,
  has_conference_token: replaces('has_conference_token', 'value'),
  has_webex_token: replaces('has_webex_token', 'value'),
  has_zoom_token: replaces('has_zoom_token', 'value'),
  invites_changed: nothing,
};

function applyDevice(state: Reply, {op, device_id}: Reply): void {
  if (op === 'remove') delete state.devices[device_id];
  else {
    state.devices[device_id] = {
      push_key_id: null,
      push_token_id: null,
      pending_push_token_id: null,
      push_token_last_updated_timestamp: null,
      push_registration_error_code: null,
    };
  }
}

function listApplier(key: string, names: {item?: string; items?: string; removed: string; id: string}): Applier {
  return (state, event) => {
    const list: Reply[] = state[key];
    if (event.op === 'add')
      state[key] = [...list, ...(names.items === undefined ? [event[names.item ?? '']] : event[names.items])];
    if (event.op === 'update') {
      const item = event[names.item ?? ''];
      state[key] = list.map((old) => (old[names.id] === item[names.id] ? item : old));
    }
    if (event.op === 'remove') state[key] = list.filter((old) => old[names.id] !== event[names.removed]);
  };
}

function applyMessage(state: Reply, {message, flags}: Reply): void {
  state.max_message_id = Math.max(state.max_message_id, message.id);
  if (message.type === 'private') {
    const others = message.display_recipient
      .map((person: Reply) => person.id)
      .filter((id: number) => id !== state.user_id);
    touchConversation(state, others, message.id);
  }
  if (flags.includes('starred')) state.starred_messages.push(message.id);
  if (!flags.includes('read')) {
    addUnread(state, message.id, {
      type: message.type,
      stream_id: message.stream_id,
      topic: message.subject,
      mentioned: flags.includes('mentioned') || flags.includes('wildcard_mentioned'),
      user_ids:
        message.type === 'private'
          ? message.display_recipient.map((person: Reply) => person.id).filter((id: number) => id !== state.user_id)
          : [],
    });
  }
}

function touchConversation(state: Reply, others: number[], id: number): void {
  const key = [...others].sort((a, b) => a - b).join();
  const rest = state.recent_private_conversations.filter(
    (one: Reply) => [...one.user_ids].sort((a, b) => a - b).join() !== key,
  );
  state.recent_private_conversations = [{max_message_id: id, user_ids: others}, ...rest];
}

function addUnread(state: Reply, id: number, details: Reply): void {
  const unread = state.unread_msgs;
  if (details.mentioned) unread.mentions.push(id);
  if (details.type === 'stream') {
    insert(unread.streams, (one) => one.stream_id === details.stream_id && sameTopic(one.topic, details.topic), id, {
      stream_id: details.stream_id,
      topic: details.topic,
    });
    return;
  }
  if (details.user_ids.length <= 1) {
    const other = details.user_ids[0] ?? state.user_id;
    insert(unread.pms, (one) => one.other_user_id === other, id, {other_user_id: other, sender_id: other});
    return;
  }
  const key = [...details.user_ids, state.user_id].sort((a, b) => a - b).join();
  insert(unread.huddles, (one) => one.user_ids_string === key, id, {user_ids_string: key});
}

function insert(list: Reply[], isIt: (one: Reply) => boolean, id: number, made: Reply): void {
  let entry = list.find(isIt);
  if (entry === undefined) {
    entry = {...made, unread_message_ids: []};
    list.push(entry);
  }
  entry.unread_message_ids = [...new Set([...entry.unread_message_ids, id])].sort((a, b) => a - b);
}

const sameTopic = (a: string, b: string) => a.toLowerCase() === b.toLowerCase();

function removeUnread(state: Reply, ids: readonly number[]): void {
  const gone = new Set(ids);
  const unread = state.unread_msgs;
  unread.mentions = unread.mentions.filter((id: number) => !gone.has(id));
  for (const key of ['pms', 'huddles', 'streams']) {
    for (const entry of unread[key]) {
      entry.unread_message_ids = entry.unread_message_ids.filter((id: number) => !gone.has(id));
    }
    unread[key] = unread[key].filter((entry: Reply) => entry.unread_message_ids.length > 0);
  }
}

function forgetMessages(state: Reply, ids: readonly number[]): void {
  removeUnread(state, ids);
  state.starred_messages = state.starred_messages.filter((id: number) => !ids.includes(id));
}

function applyFlags(state: Reply, event: Reply): void {
  if (event.flag === 'starred') {
    const rest = state.starred_messages.filter((id: number) => !event.messages.includes(id));
    state.starred_messages = event.op === 'add' ? [...rest, ...event.messages] : rest;
  }
  if (event.flag !== 'read') return;
  if (event.op === 'add') {
    removeUnread(state, event.all ? everyUnread(state) : event.messages);
    return;
  }
  for (const id of event.messages) addUnread(state, id, event.message_details[id] ?? {});
}

function everyUnread({unread_msgs: unread}: Reply): number[] {
  return [...unread.pms, ...unread.huddles, ...unread.streams].flatMap((entry: Reply) => entry.unread_message_ids);
}

function applyUpdateMessage(state: Reply, event: Reply): void {
  const moved = event.new_stream_id !== undefined || event.subject !== undefined;
  const unread = new Set(everyUnread(state));
  if (moved) {
    for (const id of event.message_ids.filter((candidate: number) => unread.has(candidate))) {
      const mentioned = state.unread_msgs.mentions.includes(id);
      const stream_id = event.new_stream_id ?? event.stream_id;
      removeUnread(state, [id]);
      // In a channel without a subscription nothing is unread.
      if (!state.subscriptions.some((one: Reply) => one.stream_id === stream_id)) continue;
      addUnread(state, id, {
        type: 'stream',
        stream_id,
        topic: event.subject ?? event.orig_subject,
        mentioned,
      });
    }
  }
  if (event.flags !== undefined && unread.has(event.message_id)) {
    const mentions = state.unread_msgs.mentions.filter((id: number) => id !== event.message_id);
    const mentioned = event.flags.includes('mentioned') || event.flags.includes('wildcard_mentioned');
    state.unread_msgs.mentions = mentioned ? [...mentions, event.message_id] : mentions;
  }
}

function applyUserTopic(state: Reply, {stream_id, topic_name, last_updated, visibility_policy}: Reply): void {
  const isSame = (one: Reply) => one.stream_id === stream_id && sameTopic(one.topic_name, topic_name);
  const before = state.user_topics.find(isSame);
  const rest = state.user_topics.filter((one: Reply) => !isSame(one));
  // The spelling stays.
  const after = {stream_id, topic_name: before?.topic_name ?? topic_name, last_updated, visibility_policy};
  state.user_topics = visibility_policy === 0 ? rest : [...rest, after];
}

function applyProfileFields(state: Reply, {fields}: Reply): void {
  state.custom_profile_fields = fields;
  const ids = new Set(fields.map(({id}: Reply) => String(id)));
  for (const {profile_data = {}} of [...state.realm_users, ...state.realm_non_active_users]) {
    for (const id of Object.keys(profile_data)) if (!ids.has(id)) delete profile_data[id];
  }
}

function applyUserStatus(state: Reply, {user_id, type: _t, id: _i, ...change}: Reply): void {
  const status = {...state.user_status[user_id], ...change};
  for (const key of Object.keys(status)) if (status[key] === '' || status[key] === false) delete status[key];
  if (status.emoji_name === undefined) {
    delete status.emoji_code;
    delete status.reaction_type;
  }
  if (Object.keys(status).length === 0) delete state.user_status[user_id];
  else state.user_status[user_id] = status;
}

function applyNavigationView(state: Reply, event: Reply): void {
  const views: Reply[] = state.navigation_views;
  if (event.op === 'add') state.navigation_views = [...views, event.navigation_view];
  if (event.op === 'remove') state.navigation_views = views.filter(({fragment}) => fragment !== event.fragment);
  if (event.op === 'update') {
    state.navigation_views = views.map((view) => (view.fragment === event.fragment ? {...view, ...event.data} : view));
  }
}

const channelLists = ['subscriptions', 'unsubscribed', 'never_subscribed', 'streams'];
const personal = [
  'color',
  'is_muted',
  'in_home_view',
  'pin_to_top',
  'desktop_notifications',
  'audible_notifications',
  'push_notifications',
  'email_notifications',
  'wildcard_mentions_notify',
];

function takeChannel(state: Reply, id: number): Reply | undefined {
  let found: Reply | undefined;
  for (const key of channelLists.slice(0, 3)) {
    found ??= state[key].find((channel: Reply) => channel.stream_id === id);
    state[key] = state[key].filter((channel: Reply) => channel.stream_id !== id);
  }
  return found;
}

function eachChannel(state: Reply, id: number, change: (channel: Reply) => void): void {
  for (const key of channelLists) for (const channel of state[key]) if (channel.stream_id === id) change(channel);
}

function applySubscription(state: Reply, event: Reply): void {
  if (event.op === 'add') {
    for (const added of event.subscriptions) {
      takeChannel(state, added.stream_id);
      // The count in the event is from before the subscription.
      state.subscriptions.push({...added, subscriber_count: added.subscribers.length});
    }
  }
  if (event.op === 'remove') {
    for (const {stream_id} of event.subscriptions) {
      const channel = takeChannel(state, stream_id);
      if (channel !== undefined) {
        changePeers(channel, {op: 'peer_remove', user_ids: [state.user_id]});
        state.unsubscribed.push(channel);
      }
      const left = state.unread_msgs.streams.filter((one: Reply) => one.stream_id === stream_id);
      removeUnread(
        state,
        left.flatMap((one: Reply) => one.unread_message_ids),
      );
    }
  }
  if (event.op === 'update') {
    for (const key of ['subscriptions', 'unsubscribed']) {
      for (const one of state[key]) if (one.stream_id === event.stream_id) one[event.property] = event.value;
    }
  }
  if (event.op === 'peer_add' || event.op === 'peer_remove') {
    for (const id of event.stream_ids) eachChannel(state, id, (channel) => changePeers(channel, event));
  }
}

function changePeers(channel: Reply, event: Reply): void {
  const before: number[] | undefined = channel.subscribers;
  channel.subscriber_count += (event.op === 'peer_add' ? 1 : -1) * event.user_ids.length;
  if (before === undefined) return;
  const rest = before.filter((id) => !event.user_ids.includes(id));
  channel.subscribers = event.op === 'peer_add' ? [...rest, ...event.user_ids] : rest;
}

function applyChannel(state: Reply, event: Reply): void {
  if (event.op === 'create') {
    for (const channel of event.streams) {
      state.streams.push(structuredClone(channel));
      const known = ['subscriptions', 'unsubscribed'].some((key) =>
        state[key].some((one: Reply) => one.stream_id === channel.stream_id),
      );
      // Events that follow list the subscribers, those that the channel already counts included.
      if (!known) state.never_subscribed.push({...structuredClone(channel), subscribers: [], subscriber_count: 0});
    }
  }
  if (event.op === 'delete') {
    for (const id of event.stream_ids) {
      takeChannel(state, id);
      state.streams = state.streams.filter((channel: Reply) => channel.stream_id !== id);
    }
  }
  if (event.op === 'update') {
    eachChannel(state, event.stream_id, (channel) => {
      channel[event.property] = event.value;
      for (const extra of ['rendered_description', 'history_public_to_subscribers', 'is_web_public']) {
        if (event[extra] !== undefined) channel[extra] = event[extra];
      }
    });
  }
}

function applyFolder(state: Reply, event: Reply): void {
  const folders: Reply[] = state.channel_folders;
  if (event.op === 'add') state.channel_folders = [...folders, event.channel_folder];
  if (event.op === 'update') {
    state.channel_folders = folders.map((one) => (one.id === event.channel_folder_id ? {...one, ...event.data} : one));
  }
  if (event.op === 'reorder') {
    state.channel_folders = folders
      .map((one) => ({...one, order: event.order.indexOf(one.id)}))
      .sort((a, b) => a.order - b.order);
  }
}

const ownKeys = ['full_name', 'email', 'delivery_email', 'avatar_url', 'avatar_url_medium', 'avatar_source'];

function applyUser(state: Reply, event: Reply): void {
  const {person} = event;
  if (event.op === 'add') {
    // A registration says it by the list that a user is in.
    const {is_active: isActive, ...user} = person;
    state[isActive ? 'realm_users' : 'realm_non_active_users'].push(user);
  }
  if (event.op === 'remove') {
    for (const key of ['realm_users', 'realm_non_active_users']) {
      state[key] = state[key].filter((user: Reply) => user.user_id !== person.user_id);
    }
    // No more events about this user will arrive, so their data must be removed.
    delete state.user_status[person.user_id];
    delete state.presences[person.user_id];
  }
  if (event.op !== 'update') return;
  for (const key of ['realm_users', 'realm_non_active_users']) {
    for (const user of state[key]) if (user.user_id === person.user_id) patchUser(user, person);
  }
  if (person.is_active !== undefined) moveUser(state, person);
  if (person.user_id === state.user_id) patchSelf(state, person);
}

function patchUser(user: Reply, {user_id: _u, custom_profile_field: field, new_email, ...change}: Reply): void {
  if (new_email !== undefined) user.email = new_email;
  if (field !== undefined) {
    user.profile_data ??= {};
    if (field.value === null) delete user.profile_data[field.id];
    else
      user.profile_data[field.id] = {
        value: field.value,
        ...(field.rendered_value === undefined ? {} : {rendered_value: field.rendered_value}),
      };
    return;
  }
  for (const [key, value] of Object.entries(change)) if (key in user || key === 'bot_owner_id') user[key] = value;
  if (change.role !== undefined) {
    user.is_owner = change.role <= 100;
    user.is_admin = change.role <= 200;
    user.is_guest = change.role >= 600;
  }
}

function moveUser(state: Reply, {user_id, is_active}: Reply): void {
  const [from, to] = is_active ? ['realm_non_active_users', 'realm_users'] : ['realm_users', 'realm_non_active_users'];
  const moved = state[from].filter((user: Reply) => user.user_id === user_id);
  state[from] = state[from].filter((user: Reply) => user.user_id !== user_id);
  state[to].push(...moved);
  if (is_active) return;
  for (const group of state.realm_user_groups) {
    group.members = group.members.filter((id: number) => id !== user_id);
  }
}

function patchSelf(state: Reply, person: Reply): void {
  for (const key of ownKeys) if (key in person) state[key] = person[key];
  if (person.new_email !== undefined) state.email = person.new_email;
  if (person.role === undefined) return;
  state.is_owner = person.role <= 100;
  state.is_admin = person.role <= 200;
  state.is_moderator = person.role <= 300;
  state.is_guest = person.role >= 600;
}

function applyBot(state: Reply, event: Reply): void {
  const bots: Reply[] = state.realm_bots;
  if (event.op === 'add') state.realm_bots = [...bots, event.bot];
  if (event.op === 'delete' || event.op === 'remove') {
    state.realm_bots = bots.filter((bot) => bot.user_id !== event.bot.user_id);
  }
  if (event.op === 'update') {
    state.realm_bots = bots.map((bot) => (bot.user_id === event.bot.user_id ? {...bot, ...event.bot} : bot));
  }
}

function applyGroup(state: Reply, event: Reply): void {
  const groups: Reply[] = state.realm_user_groups;
  if (event.op === 'add') groups.push(event.group);
  if (event.op === 'remove') state.realm_user_groups = groups.filter((group) => group.id !== event.group_id);
  const group = groups.find((one) => one.id === event.group_id);
  if (group === undefined) return;
  const add = (key: string, ids: number[]) => {
    group[key] = [...new Set([...group[key], ...ids])];
  };
  const remove = (key: string, ids: number[]) => {
    group[key] = group[key].filter((id: number) => !ids.includes(id));
  };
  if (event.op === 'update') Object.assign(group, event.data);
  if (event.op === 'add_members') add('members', event.user_ids);
  if (event.op === 'remove_members') remove('members', event.user_ids);
  if (event.op === 'add_subgroups') add('direct_subgroup_ids', event.direct_subgroup_ids);
  if (event.op === 'remove_subgroups') remove('direct_subgroup_ids', event.direct_subgroup_ids);
}

function applyRealm(state: Reply, event: Reply): void {
  if (event.op === 'update') state[`realm_${event.property}`] = event.value;
  if (event.op === 'update_dict') {
    for (const [name, value] of Object.entries(event.data)) state[`realm_${name}`] = value;
  }
}

function applyEmoji(state: Reply, event: Reply): void {
  if (event.op === 'update') state.realm_emoji = event.realm_emoji;
  if (event.op === 'add') state.realm_emoji[event.emoji.id] = event.emoji;
  if (event.op === 'update_one') Object.assign(state.realm_emoji[event.emoji_id], event.data);
}

function applyDomain(state: Reply, event: Reply): void {
  const domains: Reply[] = state.realm_domains;
  if (event.op === 'add') state.realm_domains = [...domains, event.realm_domain];
  if (event.op === 'remove') state.realm_domains = domains.filter(({domain}) => domain !== event.domain);
  if (event.op === 'change') {
    state.realm_domains = domains.map((one) => (one.domain === event.realm_domain.domain ? event.realm_domain : one));
  }
}

/** The keys of personal settings, which only subscriptions have. */
export const personalSubscriptionKeys: readonly string[] = personal;
