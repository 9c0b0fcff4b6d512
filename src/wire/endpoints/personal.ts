import {alias, endpoint, flag, json, loose, number, optional, pathRest, raw, since, text} from '#wire/endpoint.ts';
import {levels} from '#wire/levels.ts';
import {
  attachment,
  draft,
  draftInput,
  navigationView,
  reminder,
  scheduledMessage,
  snippet,
  uploaded,
} from '#wire/objects/personal.ts';
import {int, object, s, wholeArray} from '#wire/schema.ts';

export const getDrafts = endpoint('draft.list', 'GET /drafts', {
  result: object({count: int, drafts: s.array(draft)}),
});

export const createDrafts = endpoint('draft.create', 'POST /drafts', {
  params: {drafts: json(s.array(draftInput))},
  result: object({ids: wholeArray(int)}),
});

export const editDraft = endpoint('draft.edit', 'PATCH /drafts/{draft_id}', {
  params: {draft: json(draftInput)},
});

export const deleteDraft = endpoint('draft.delete', 'DELETE /drafts/{draft_id}', {});

export const getSnippets = endpoint('snippet.list', 'GET /saved_snippets', {
  since: levels.savedSnippets,
  result: object({saved_snippets: s.array(snippet)}),
});

export const createSnippet = endpoint('snippet.create', 'POST /saved_snippets', {
  since: levels.savedSnippets,
  params: {title: text, content: text},
  result: object({saved_snippet_id: int}),
});

export const editSnippet = endpoint('snippet.edit', 'PATCH /saved_snippets/{saved_snippet_id}', {
  since: levels.editSavedSnippet,
  params: {title: optional(text), content: optional(text)},
});

export const deleteSnippet = endpoint('snippet.delete', 'DELETE /saved_snippets/{saved_snippet_id}', {
  since: levels.savedSnippets,
});

const sshKey = object({
  id: int,
  type: s.string(),
  fingerprint: s.string(),
  comment: s.string(),
  added_at: int,
  last_used_at: s.nullable(int),
});

/** The keys for logging in over SSH, which only Parley's server has. */
export const getSshKeys = endpoint('ssh-key.list', 'GET /parley/ssh_keys', {
  result: object({ssh_keys: s.array(sshKey)}),
});

export const addSshKey = endpoint('ssh-key.add', 'POST /parley/ssh_keys', {
  params: {key: text},
  result: object({ssh_key: sshKey}),
});

export const removeSshKey = endpoint('ssh-key.remove', 'DELETE /parley/ssh_keys/{key_id}', {});

const type = raw(
  s.picklist(
    ['direct', 'channel', 'stream', 'private'],
    'Invalid {at}: Value error, Not in the list of possible values',
  ),
);
const to = json(s.union([int, s.array(int)], '{at}["int"] is not an integer'));
const topic = alias(optional(text), 'subject');

export const getScheduledMessages = endpoint('scheduled-message.list', 'GET /scheduled_messages', {
  since: levels.scheduledMessages,
  result: object({scheduled_messages: s.array(scheduledMessage)}),
});

export const createScheduledMessage = endpoint('scheduled-message.create', 'POST /scheduled_messages', {
  since: levels.createScheduledMessage,
  params: {
    type,
    to,
    content: text,
    topic,
    scheduled_delivery_timestamp: number,
    read_by_sender: since(levels.readBySender, optional(json(s.boolean()))),
  },
  result: object({scheduled_message_id: int}),
});

export const editScheduledMessage = endpoint(
  'scheduled-message.edit',
  'PATCH /scheduled_messages/{scheduled_message_id}',
  {
    since: levels.editScheduledMessage,
    params: {
      type: optional(type),
      to: optional(to),
      content: optional(text),
      topic,
      scheduled_delivery_timestamp: optional(number),
    },
  },
);

export const deleteScheduledMessage = endpoint(
  'scheduled-message.delete',
  'DELETE /scheduled_messages/{scheduled_message_id}',
  {since: levels.scheduledMessages},
);

export const getReminders = endpoint('reminder.list', 'GET /reminders', {
  since: levels.reminders,
  result: object({reminders: s.array(reminder)}),
});

export const createReminder = endpoint('reminder.create', 'POST /reminders', {
  since: levels.createReminder,
  params: {
    message_id: number,
    scheduled_delivery_timestamp: number,
    note: since(levels.reminderNote, optional(text)),
  },
  result: object({reminder_id: int}),
});

export const deleteReminder = endpoint('reminder.delete', 'DELETE /reminders/{reminder_id}', {
  since: levels.reminders,
});

const notBlank = s.pipe(
  s.string(),
  s.check((text) => text.trim() !== '', '{at} cannot be blank'),
);
/** The view's name; null or absent for a built-in view. */
const name = optional(loose(s.nullable(notBlank)));

export const getNavigationViews = endpoint('navigation-view.list', 'GET /navigation_views', {
  since: levels.navigationViews,
  result: object({navigation_views: s.array(navigationView)}),
});

export const addNavigationView = endpoint('navigation-view.add', 'POST /navigation_views', {
  since: levels.navigationViews,
  params: {fragment: raw(notBlank), is_pinned: flag, name},
});

/** Updates a view. The fragment is the rest of the path, with or without its slashes percent-encoded. */
export const editNavigationView = endpoint('navigation-view.edit', 'PATCH /navigation_views/{fragment}', {
  since: levels.navigationViews,
  params: {fragment: pathRest, is_pinned: optional(flag), name},
});

export const removeNavigationView = endpoint('navigation-view.remove', 'DELETE /navigation_views/{fragment}', {
  since: levels.navigationViews,
  params: {fragment: pathRest},
});

export const uploadFile = endpoint('upload.create', 'POST /user_uploads', {upload: true, result: uploaded});

/** Returns a temporary URL of a file, which needs no credentials for a minute. */
export const getTemporaryUrl = endpoint('upload.temporary-url', 'GET /user_uploads/{realm_id}/{filename}', {
  params: {filename: pathRest},
  result: object({url: s.string()}),
});

export const getThumbnailStatus = endpoint('upload.thumbnail-status', 'GET /thumbnail/status/{realm_id}/{filename}', {
  since: levels.thumbnailStatus,
  params: {filename: pathRest},
  result: object({has_thumbnail: s.boolean()}),
});

export const getAttachments = endpoint('attachment.list', 'GET /attachments', {
  result: object({attachments: s.array(attachment)}, {upload_space_used: int}),
});

export const deleteAttachment = endpoint('attachment.delete', 'DELETE /attachments/{attachment_id}');
