import type {AccountState} from '#state/state.ts';
import type {Appliers} from '#state/state-event.ts';
import {applyChannelFolder} from './channel-folder.ts';
import {applyCustomProfileFields} from './custom-profile-fields.ts';
import {applyDefaultStreams} from './default-streams.ts';
import {applyRealm} from './realm.ts';
import {applyRealmBot} from './realm-bot.ts';
import {applyRealmDomains} from './realm-domains.ts';
import {applyRealmEmoji} from './realm-emoji.ts';
import {applyRealmLinkifiers} from './realm-linkifiers.ts';
import {applyRealmPlaygrounds} from './realm-playgrounds.ts';
import {applyRealmUser} from './realm-user.ts';
import {applyRestart} from './restart.ts';
import {applyStream} from './stream.ts';
import {applyUserGroup} from './user-group.ts';

/** Nothing that the state holds. */
function unchanged(state: AccountState): AccountState {
  return state;
}

/** What is the same for everybody in the organization. */
export const organizationAppliers = {
  stream: applyStream,
  channel_folder: applyChannelFolder,
  default_streams: applyDefaultStreams,
  default_stream_groups: unchanged,
  realm_user: applyRealmUser,
  realm_bot: applyRealmBot,
  user_group: applyUserGroup,
  realm: applyRealm,
  realm_emoji: applyRealmEmoji,
  realm_linkifiers: applyRealmLinkifiers,
  realm_domains: applyRealmDomains,
  realm_playgrounds: applyRealmPlaygrounds,
  custom_profile_fields: applyCustomProfileFields,
  heartbeat: unchanged,
  restart: applyRestart,
} satisfies Partial<Appliers>;
