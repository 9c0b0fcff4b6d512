import {renderMessage} from '#content/render/render-message.ts';
import type {User} from '#state/model/user.ts';
import {distinctUserName} from '#state/selectors/names/names.ts';
import {externalUrl, isMarkdown, userIdsIn} from '#state/selectors/people/profile-value.ts';
import type {AccountState} from '#state/state.ts';
import {messageContext} from '#ui/format/message-context.ts';
import {profileFieldTypes} from '#wire/objects/profile-field.ts';

export interface ProfileLink {
  readonly text: string;
  readonly target: {readonly url: string} | {readonly userId: number};
}

/** Returns what a value leads to: an address, an account elsewhere, or people. */
export function profileLinks(account: AccountState, {profile}: User): readonly ProfileLink[] {
  return account.profileFields.flatMap((field): readonly ProfileLink[] => {
    const value = profile[field.id]?.value.trim() ?? '';
    if (value === '') return [];
    if (isMarkdown(field)) return linksIn(account, value);
    if (field.type === profileFieldTypes.url) return [{text: field.name, target: {url: value}}];
    if (field.type === profileFieldTypes.externalAccount) {
      const url = externalUrl(account, field, value);
      return url === undefined ? [] : [{text: `${field.name}: ${value}`, target: {url}}];
    }
    if (field.type !== profileFieldTypes.user) return [];
    return userIdsIn(value).map((userId) => ({
      text: `${field.name}: ${distinctUserName(account, userId)}`,
      target: {userId},
    }));
  });
}

/** Wide enough that nothing is cut; only the links are used. */
const anyWidth = 200;

function linksIn(account: AccountState, source: string): readonly ProfileLink[] {
  const {links} = renderMessage({source}, messageContext(account), {width: anyWidth, expanded: true});
  return links.flatMap(({text, url}) =>
    /^https?:/i.test(url) ? [{text: text === '' ? url : text, target: {url}}] : [],
  );
}
