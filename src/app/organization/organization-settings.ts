import {choosePicture} from '#app/files/file-picker.ts';
import {requestFromServer} from '#app/requests/server-request.ts';
import {type RealmChange, removeIcon, setIcon} from '#state/actions/administration.ts';
import {type FormAction, type FormChoice, formAction} from '#ui/core/form.ts';
import type {Frame} from '#ui/core/frame.ts';
import type {RealmGroupSetting} from '#wire/objects/realm.ts';
import {administratorReason} from './organization-rights.ts';

interface SettingTexts {
  /** The name of the setting in the API. */
  readonly name: keyof RealmChange;
  readonly label: string;
  readonly help?: string;
  readonly isForOwners?: true;
}

/** A value in the organization's units, or none: a time limit in seconds, a retention in days. */
export interface PeriodSetting extends SettingTexts {
  readonly kind: 'period';
  readonly presets: readonly (readonly [value: number | null, label: string])[];
  readonly unit: 'minutes' | 'days';
  readonly unitSize: number;
}

interface GroupPermission extends SettingTexts {
  readonly name: RealmGroupSetting;
  readonly kind: 'group';
}

export type OrganizationSetting =
  | (SettingTexts & {
      readonly kind: 'text';
      readonly isRequired?: true;
      readonly isMultiline?: true;
      readonly maxLength?: number;
      readonly placeholder?: string;
      readonly problem?: (text: string) => string | undefined;
    })
  /** `isInverted`: the form shows the opposite of the setting. */
  | (SettingTexts & {readonly kind: 'switch'; readonly isInverted?: true})
  | (SettingTexts & {readonly kind: 'choice'; readonly choices: readonly FormChoice[]})
  | (SettingTexts & {readonly kind: 'number'; readonly unit: string; readonly max: number})
  /** One channel or none; `isPrivate`: only private ones. */
  | (SettingTexts & {readonly kind: 'channel'; readonly isPrivate?: true})
  | (SettingTexts & {readonly kind: 'videoProvider'})
  | PeriodSetting
  | GroupPermission;

export interface SettingSection {
  readonly id: string;
  readonly title: string;
  /** What the section contains, in a few words. */
  readonly detail: string;
  readonly settings: readonly OrganizationSetting[];
  /** Further rows below the settings. */
  readonly actions?: (frame: Frame) => readonly FormAction[];
}

const timePresets = [
  [null, 'No limit'],
  [120, '2 minutes'],
  [600, '10 minutes'],
  [3600, '1 hour'],
  [86_400, '1 day'],
  [604_800, '1 week'],
] as const;

type SettingOf<K> = Extract<OrganizationSetting, {readonly kind: K}>;

function setting<K extends OrganizationSetting['kind']>(
  kind: K,
  name: keyof RealmChange,
  label: string,
  more?: Omit<SettingOf<K>, 'kind' | 'name' | 'label'>,
): SettingOf<K> {
  return {kind, name, label, ...more} as unknown as SettingOf<K>;
}

function section(
  id: string,
  title: string,
  detail: string,
  settings: readonly OrganizationSetting[],
  actions?: SettingSection['actions'],
): SettingSection {
  return {id, title, detail, settings, ...(actions && {actions})};
}

function timeLimit(name: keyof RealmChange, label: string, help: string): PeriodSetting {
  return setting('period', name, label, {help, presets: timePresets, unit: 'minutes', unitSize: 60});
}

function permission(name: RealmGroupSetting, label: string, isForOwners = false, help?: string): GroupPermission {
  return setting('group', name, label, {...(isForOwners && {isForOwners}), ...(help !== undefined && {help})});
}

function urlProblem(text: string): string | undefined {
  if (text === '') return undefined;
  return /^https?:\/\//.test(text) && URL.canParse(text) ? undefined : 'Write a URL such as https://meet.example.com';
}

function languageProblem(code: string): string | undefined {
  return /^[a-z]{2,3}(?:[_-][a-z]{2,8})*$/i.test(code) ? undefined : 'Write a code such as en, de or pt-br';
}

function codeLanguageProblem(name: string): string | undefined {
  return /^[\w+#./-]{0,50}$/.test(name) ? undefined : 'Write a name such as python or c++';
}

/** All settings of the organization that can be changed, in sections. Each section is a form. */
export function organizationSections(): readonly SettingSection[] {
  return [
    section(
      'profile',
      'Profile of the organization',
      'name, description, language, icon',
      [
        setting('text', 'name', 'Name', {isRequired: true, maxLength: 40}),
        setting('text', 'description', 'Description', {help: 'Markdown works.', isMultiline: true, maxLength: 1000}),
        setting('text', 'default_language', 'Language', {
          help: 'For new users and for messages of the server: a code such as en, de or pt-br.',
          isRequired: true,
          problem: languageProblem,
        }),
      ],
      iconActions,
    ),
    section('joining', 'Joining', 'invitations, email domains, waiting period', [
      setting('switch', 'invite_required', 'Invitation needed', {
        help: 'Only people with an invitation can join.',
        isForOwners: true,
      }),
      setting('switch', 'emails_restricted_to_domains', 'Only allowed domains', {
        help: 'Only email addresses of the allowed domains can join.',
        isForOwners: true,
      }),
      setting('switch', 'disallow_disposable_email_addresses', 'No disposable email', {
        help: 'Addresses of services for disposable email cannot join.',
        isForOwners: true,
      }),
      permission('can_invite_users_group', 'Invite people', true),
      permission('create_multiuse_invite_group', 'Create invitation links', true),
      setting('number', 'waiting_period_threshold', 'Waiting period', {
        help: 'After it, new members count as full members, whom permissions can name.',
        unit: 'days',
        max: 36_500,
        isForOwners: true,
      }),
      setting('switch', 'enable_spectator_access', 'Visitors without account', {
        help: 'Anyone on the internet can read web-public channels.',
      }),
    ]),
    section('accounts', 'User accounts', 'names, pictures, email, read receipts', [
      setting('switch', 'name_changes_disabled', 'Users change their name', {isInverted: true}),
      setting('switch', 'avatar_changes_disabled', 'Users change their picture', {isInverted: true}),
      setting('switch', 'email_changes_disabled', 'Users change their email', {isInverted: true}),
      setting('switch', 'require_unique_names', 'Unique names', {help: 'No two users have the same name.'}),
      setting('switch', 'enable_read_receipts', 'Read receipts', {help: 'Shows who has read a message.'}),
    ]),
    section('channels', 'Channels and topics', 'who creates channels and adds subscribers, messages without topic', [
      permission('can_create_public_channel_group', 'Create public channels'),
      permission('can_create_private_channel_group', 'Create private channels'),
      permission('can_create_web_public_channel_group', 'Create web-public channels'),
      permission('can_add_subscribers_group', 'Add subscribers'),
      setting('choice', 'topics_policy', 'Messages without topic', {
        help: 'Channels can have their own rule.',
        choices: [
          {value: 'allow_empty_topic', label: 'Allowed'},
          {value: 'disable_empty_topic', label: 'Not allowed'},
        ],
      }),
      permission('can_set_topics_policy_group', 'Set that rule in a channel'),
    ]),
    section('messages', 'Messages', 'direct messages, mentions, previews, how long they are kept', [
      permission(
        'direct_message_permission_group',
        'Authorize direct messages',
        false,
        'Each direct conversation needs at least one of them.',
      ),
      permission('direct_message_initiator_group', 'Start direct messages'),
      permission('can_mention_many_users_group', 'Mention everyone in a channel'),
      setting('switch', 'inline_image_preview', 'Previews of images'),
      setting('switch', 'inline_url_embed_preview', 'Previews of links'),
      setting('text', 'default_code_block_language', 'Language of code blocks', {
        help: 'For code blocks that name no language. Empty for none.',
        problem: codeLanguageProblem,
        placeholder: 'none',
      }),
      setting('period', 'message_retention_days', 'Keep messages', {
        help: 'Older messages are deleted, unless their channel has its own rule.',
        presets: [[-1, 'Forever']],
        unit: 'days',
        unitSize: 1,
        isForOwners: true,
      }),
    ]),
    section('editing', 'Editing and deleting messages', 'time limits, edit history, who deletes messages', [
      setting('switch', 'allow_message_editing', 'Users edit their messages'),
      timeLimit(
        'message_content_edit_limit_seconds',
        'Time limit for editing',
        'Counted from when the message was sent.',
      ),
      setting('choice', 'message_edit_history_visibility_policy', 'Edit history', {
        choices: [
          {value: 'all', label: 'Shown'},
          {value: 'moves', label: 'Only moves are shown'},
          {value: 'none', label: 'Hidden'},
        ],
      }),
      permission('can_delete_any_message_group', 'Delete any message'),
      permission('can_delete_own_message_group', 'Delete own messages'),
      timeLimit('message_content_delete_limit_seconds', 'Time limit for deleting', 'For own messages.'),
      permission('can_set_delete_message_policy_group', 'Set who deletes in a channel'),
    ]),
    section('moving', 'Moving messages', 'between topics and channels, resolving topics, time limits', [
      permission('can_move_messages_between_topics_group', 'Move between topics'),
      timeLimit(
        'move_messages_within_stream_limit_seconds',
        'Time limit between topics',
        'Not for moderators and administrators.',
      ),
      permission('can_move_messages_between_channels_group', 'Move between channels'),
      timeLimit(
        'move_messages_between_streams_limit_seconds',
        'Time limit between channels',
        'Not for moderators and administrators.',
      ),
      permission('can_resolve_topics_group', 'Resolve topics'),
    ]),
    section('groups', 'Groups, bots and emoji', 'who creates them', [
      permission('can_create_groups', 'Create groups', true),
      permission('can_manage_all_groups', 'Manage all groups', true),
      permission('can_create_bots_group', 'Create bots'),
      permission('can_create_write_only_bots_group', 'Create bots that only send'),
      permission('can_add_custom_emoji_group', 'Add custom emoji'),
    ]),
    section('guests', 'Guests', 'what they see, how they are marked', [
      permission(
        'can_access_all_users_group',
        'See all users',
        false,
        'Others see only people in their channels and direct conversations.',
      ),
      setting('switch', 'enable_guest_user_indicator', 'Mark guests', {help: 'Shows “(guest)” after a name.'}),
      setting('switch', 'enable_guest_user_dm_warning', 'Warn before messages to guests', {
        help: 'Warns users who write a direct message to a guest.',
      }),
    ]),
    section(
      'announcements',
      'Announcements and moderation',
      'channels for news about channels and users, for reports',
      [
        setting('channel', 'new_stream_announcements_stream_id', 'New channels', {
          help: 'The channel in which they are announced.',
        }),
        setting('channel', 'signup_announcements_stream_id', 'New users', {
          help: 'The channel in which they are announced.',
        }),
        setting('channel', 'moderation_request_channel_id', 'Reports to moderators', {
          help: 'A private channel. Without one, users cannot report messages.',
          isPrivate: true,
        }),
      ],
    ),
    section('calls', 'Video calls', 'the service, and its server', [
      setting('videoProvider', 'video_chat_provider', 'Service'),
      setting('text', 'jitsi_server_url', 'Jitsi server', {
        help: 'Empty for that of the Zulip server.',
        maxLength: 200,
        placeholder: 'as the Zulip server',
        problem: urlProblem,
      }),
    ]),
  ];
}

const maxMib = 5;
/** The value of `realm_icon_source` for a picture that an administrator uploaded. */
const uploaded = 'U';

/** The rows of a form that change the picture of the organization. */
function iconActions(frame: Frame): readonly FormAction[] {
  const disabled = administratorReason(frame);
  const hasIcon = frame.account.realm.iconSource === uploaded;
  return [
    formAction('icon', hasIcon ? 'Change the icon…' : 'Upload an icon…', {
      detail: 'the picture of the organization in other clients',
      disabled,
      run: (app) =>
        choosePicture(app, {
          title: 'Icon of the organization',
          maxMib,
          send: (from, file) => setIcon(from.session.context, file),
        }),
    }),
    ...(hasIcon ? [removeAction(disabled)] : []),
  ];
}

function removeAction(disabled: string | undefined): FormAction {
  return formAction('remove icon', 'Remove the icon…', {
    disabled,
    confirm: {title: 'Remove the icon?', yes: 'Remove the icon', detail: 'clients show a generated one'},
    run: (app) =>
      requestFromServer(app, {
        send: () => removeIcon(app.session.context),
        doneText: () => 'Removed the icon of the organization',
        failureText: 'The icon was not removed',
      }),
  });
}
