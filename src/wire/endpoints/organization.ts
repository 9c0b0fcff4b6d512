import {
  alias,
  endpoint,
  fallback,
  flag,
  ids,
  json,
  number,
  optional,
  pathId,
  pathText,
  since,
  text,
} from '#wire/endpoint.ts';
import {levels} from '#wire/levels.ts';
import {domain} from '#wire/objects/domain.ts';
import {emojiTable} from '#wire/objects/emoji.ts';
import {linkifier} from '#wire/objects/linkifier.ts';
import {profileField} from '#wire/objects/profile-field.ts';
import {int, object, s, strings} from '#wire/schema.ts';

// An empty text resets the value to null.
const linkifierParams = {
  pattern: text,
  url_template: alias(since(levels.linkifierTemplates, text), 'url_format_string'),
  example_input: since(levels.reverseLinkifiers, optional(text)),
  reverse_template: since(levels.reverseLinkifiers, optional(text)),
  alternative_url_templates: since(levels.alternativeTemplates, optional(json(strings))),
};

export const getLinkifiers = endpoint('linkifier.list', 'GET /realm/linkifiers', {
  result: object({linkifiers: s.array(linkifier)}),
});

export const addLinkifier = endpoint('linkifier.add', 'POST /realm/filters', {
  params: linkifierParams,
  result: object({id: int}),
});

export const updateLinkifier = endpoint('linkifier.update', 'PATCH /realm/filters/{filter_id}', {
  params: {filter_id: pathId, ...linkifierParams},
});

export const removeLinkifier = endpoint('linkifier.remove', 'DELETE /realm/filters/{filter_id}', {
  params: {filter_id: pathId},
});

/** Reorders the linkifiers; the list contains the ids of all of them. */
export const reorderLinkifiers = endpoint('linkifier.reorder', 'PATCH /realm/linkifiers', {
  since: levels.reorderLinkifiers,
  params: {ordered_linkifier_ids: ids},
});

export const getDomains = endpoint('domain.list', 'GET /realm/domains', {
  result: object({domains: s.array(domain)}),
});

export const addDomain = endpoint('domain.add', 'POST /realm/domains', {
  params: {domain: text, allow_subdomains: flag},
  result: object({new_domain: s.tuple([int, s.string()])}),
});

export const updateDomain = endpoint('domain.update', 'PATCH /realm/domains/{domain}', {
  params: {domain: pathText, allow_subdomains: flag},
});

export const removeDomain = endpoint('domain.remove', 'DELETE /realm/domains/{domain}', {
  params: {domain: pathText},
});

const fieldParams = {
  hint: optional(text),
  field_data: optional(json(s.record(s.string(), s.unknown()))),
  display_in_profile_summary: since(levels.profileSummary, optional(flag)),
  required: since(levels.requiredField, optional(flag)),
  editable_by_user: since(levels.editableField, optional(flag)),
  use_for_user_matching: since(levels.fieldMatching, optional(flag)),
};

export const getProfileFields = endpoint('profile-field.list', 'GET /realm/profile_fields', {
  result: object({custom_fields: s.array(profileField)}),
});

/** Creates a profile field. The name is optional only for an external account with a default name. */
export const createProfileField = endpoint('profile-field.create', 'POST /realm/profile_fields', {
  params: {name: fallback(text, ''), field_type: number, ...fieldParams},
  result: object({id: int}),
});

export const reorderProfileFields = endpoint('profile-field.reorder', 'PATCH /realm/profile_fields', {
  params: {order: ids},
});

export const updateProfileField = endpoint('profile-field.update', 'PATCH /realm/profile_fields/{field_id}', {
  params: {field_id: pathId, name: optional(text), ...fieldParams},
});

export const removeProfileField = endpoint('profile-field.remove', 'DELETE /realm/profile_fields/{field_id}', {
  params: {field_id: pathId},
});

export const getEmoji = endpoint('emoji.list', 'GET /realm/emoji', {result: object({emoji: emojiTable})});

export const addEmoji = endpoint('emoji.add', 'POST /realm/emoji/{emoji_name}', {
  upload: true,
  params: {emoji_name: pathText},
});

export const removeEmoji = endpoint('emoji.remove', 'DELETE /realm/emoji/{emoji_name}', {
  params: {emoji_name: pathText},
});
