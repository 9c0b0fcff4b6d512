import type {StateNeeds} from '#cli/account-access/with-state.ts';
import {PlainFailure} from '#cli/failures.ts';
import {namesUsers, permissionArguments} from '#cli/permission-arguments.ts';
import {UsageError} from '#cli/usage-error.ts';
import type {VerbArguments} from '#cli/verbs/verb-table.ts';
import {foldName} from '#state/model/users.ts';
import {didYouMean} from '#state/selectors/names/similar-names.ts';
import type {AccountState} from '#state/state.ts';
import {channelSettingNames} from '#wire/objects/channel.ts';

type Values = VerbArguments<'channel create' | 'channel edit'>['values'];

/** Returns the data that the settings on a command line require. */
export function settingNeeds(values: Values, users: readonly string[] = []): StateNeeds {
  return {
    fetch: ['subscription', 'realm', 'realm_user_groups', 'channel_folders'],
    people: users.length > 0 || namesUsers(values.permission) ? 'all' : 'self',
  };
}

/** The privacy of a channel in requests. */
export const privacies = {
  public: {isPrivate: false, isWebPublic: false, hasSharedHistory: true},
  private: {isPrivate: true, isWebPublic: false, hasSharedHistory: true},
  protected: {isPrivate: true, isWebPublic: false, hasSharedHistory: false},
  'web-public': {isPrivate: false, isWebPublic: true, hasSharedHistory: true},
} as const;

const topicsPolicies = {
  inherit: 'inherit',
  'allow-empty': 'allow_empty_topic',
  require: 'disable_empty_topic',
  'only-empty': 'empty_topic_only',
} as const;

/** Returns the settings that creating and changing a channel have in common; those that were not given are absent. */
export function commonSettings(state: AccountState, values: Values) {
  const {retention, topics, folder, push} = values;
  return {
    ...(retention !== undefined && {retention: retentionArgument(retention)}),
    ...(topics !== undefined && {topicsPolicy: topicsPolicies[topics]}),
    ...(folder !== undefined && {folderId: folder.trim() === '' ? null : folderArgument(state, folder)}),
    ...(values.default !== undefined && {isDefault: values.default === 'yes'}),
    ...(push !== undefined && {defaultPush: push === 'yes'}),
    permissions: permissionArguments(state, channelSettingNames, values.permission),
  };
}

/** The options that not every server knows, with their parameters. */
const optionParameters = {
  topics: 'topics_policy',
  folder: 'folder_id',
  push: 'default_push_notifications',
  default: 'is_default_stream',
} as const;

/** Returns the parameters that a new channel needs for these options. */
export function settingParameters(state: AccountState, values: Values): readonly string[] {
  const names = Object.entries(optionParameters).flatMap(([option, parameter]) =>
    values[option as keyof typeof optionParameters] === undefined ? [] : [parameter],
  );
  const permissions = permissionArguments(state, channelSettingNames, values.permission);
  return [...names, ...Object.keys(permissions), ...(values.privacy === 'web-public' ? ['is_web_public'] : [])];
}

function retentionArgument(text: string): number | 'unlimited' | 'realm_default' {
  if (text === 'unlimited') return text;
  if (text === 'default') return 'realm_default';
  if (/^[1-9]\d{0,5}$/.test(text)) return Number(text);
  throw new UsageError(`--retention must be a number of days, unlimited or default, not “${text}”.`);
}

function folderArgument({folders}: AccountState, text: string): number {
  const active = [...folders.values()].filter(({isArchived}) => isArchived !== true);
  const folder = active.find(({name}) => foldName(name) === foldName(text));
  if (folder !== undefined) return folder.id;
  const names = active.map(({name}) => name);
  throw new PlainFailure(`There is no folder called “${text.trim()}”.${didYouMean(names, text)}`);
}
