import type {
  AccountSettings,
  Attachment,
  Bot,
  Emoji,
  Linkifier,
  Playground,
  ProfileField,
  Realm,
  ServerInfo,
} from '#state/state.ts';
import {camelKeys} from '#std/camel.ts';
import {
  playgroundTemplate,
  urlTemplate,
  type WireEmoji,
  type WireLinkifier,
  type WirePlayground,
} from '#wire/objects/organization.ts';
import {attachedMessageIds, attachmentCreatedAt, type WireAttachment} from '#wire/objects/personal.ts';
import {limitFields, modernRealm, realmFields, serverFields, type WireRealm} from '#wire/objects/realm.ts';
import type {WireProfileField} from '#wire/objects/user.ts';
import {botDefaults, type WireBot} from '#wire/objects/user.ts';
import {modernSettings, userSettings, type WireUserSettings} from '#wire/objects/user-settings.ts';

const {jitsi_server_url: _alias, server_timestamp: _moment, ...serverInfoFields} = {...limitFields, ...serverFields};
const serverNames = Object.keys(serverInfoFields);
const {realm_rendered_description: _html, ...realmSettings} = realmFields;
const realmNames = Object.keys(realmSettings);
const settingNames = Object.keys(userSettings.entries);
const {avatar_url: _picture, ...botFields} = botDefaults;
const botNames = ['user_id', ...Object.keys(botFields)];

/** Converts the whole block of settings or a patch of it. */
export function realmFromWire(fields: WireRealm, level: number): Partial<Realm> {
  return camelKeys(pickFields(modernRealm(fields, level), realmNames, 'realm_'.length)) as Partial<Realm>;
}

/** Converts the server's fields, except those that need the whole response. */
export function serverFromWire(fields: WireRealm, level: number): Partial<ServerInfo> {
  return camelKeys(pickFields(modernRealm(fields, level), serverNames)) as Partial<ServerInfo>;
}

export function settingsFromWire(fields: WireUserSettings): Partial<AccountSettings> {
  return camelKeys(pickFields(modernSettings(fields), settingNames)) as Partial<AccountSettings>;
}

/** Returns only the fields that the schema names: responses contain more, but no events update the rest. */
function pickFields(fields: object, names: readonly string[], prefixLength = 0): Record<string, unknown> {
  const picked: Record<string, unknown> = {};
  for (const name of names) {
    const value: unknown = Reflect.get(fields, name);
    if (value !== undefined) picked[name.slice(prefixLength)] = value;
  }
  return picked;
}

export function botFromWire(wire: WireBot): Bot {
  return camelKeys(pickFields(wire, botNames)) as unknown as Bot;
}

export function emojiFromWire(wire: WireEmoji): Emoji {
  return camelKeys(wire);
}

/** Converts a whole folder or a patch of one. */
export function folderFields<T extends {rendered_description?: string | undefined}>(wire: T) {
  const {rendered_description: _html, ...rest} = wire;
  return camelKeys(rest);
}

export function profileFieldFromWire(wire: WireProfileField): ProfileField {
  return camelKeys(wire);
}

export function linkifierFromWire(wire: WireLinkifier): Linkifier {
  const {url_template: _template, url_format: _format, ...rest} = wire;
  return {...camelKeys(rest), urlTemplate: urlTemplate(wire)};
}

export function playgroundFromWire(wire: WirePlayground): Playground {
  const {url_template: _template, url_prefix: _prefix, ...rest} = wire;
  return {...camelKeys(rest), urlTemplate: playgroundTemplate(wire)};
}

export function attachmentFromWire(wire: WireAttachment): Attachment {
  const {message_ids: _ids, messages: _messages, ...rest} = wire;
  return {...camelKeys(rest), createTime: attachmentCreatedAt(wire), messageIds: attachedMessageIds(wire)};
}
