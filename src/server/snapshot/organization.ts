import {settingChoices} from '#server/accounts/user-setting-values.ts';
import {playgrounds} from '#server/actions/organization/playgrounds.ts';
import {settingDefaults} from '#server/actions/organization/setting-defaults.ts';
import {conferenceSegments} from '#server/actions/organization/video-calls.ts';
import {onboardingSteps} from '#server/actions/personal/onboarding-steps.ts';
import {devicesOf} from '#server/actions/users/devices.ts';
import {listBots} from '#server/db/bots.ts';
import {listDomains} from '#server/db/domains.ts';
import {stopWords} from '#server/narrow/stop-words.ts';
import {isAdmin} from '#server/permissions/has-permission.ts';
import {botView} from '#server/views/bot.ts';
import {customEmojiTable} from '#server/views/custom-emoji.ts';
import {domainView} from '#server/views/domain.ts';
import {linkifierViews} from '#server/views/linkifier.ts';
import {profileFieldTypeNames, profileFieldViews} from '#server/views/profile-field.ts';
import {realmView} from '#server/views/realm.ts';
import {tokenKeyOf} from '#wire/objects/video-call.ts';
import type {SnapshotBlocks} from './snapshot-block.ts';

/** The organization's settings and objects; fetch types that this server does not support give empty values. */
export const organizationBlocks: SnapshotBlocks = {
  realm: ({act}) => realmView(act),
  realm_domains: ({act}) => ({realm_domains: listDomains(act.db).map(domainView)}),
  realm_emoji: ({act}) => ({realm_emoji: customEmojiTable(act.server)}),
  realm_linkifiers: ({act, options}) => ({
    realm_linkifiers: options.capabilities.linkifier_url_template === true ? linkifierViews(act.server) : [],
  }),
  realm_filters: () => ({realm_filters: []}),
  realm_playgrounds: ({act}) => ({realm_playgrounds: playgrounds(act.db)}),
  custom_profile_fields: ({act}) => ({
    custom_profile_fields: profileFieldViews(act.db),
    custom_profile_field_types: profileFieldTypeNames,
  }),
  realm_bot: ({act, viewer}) => ({
    realm_bots: listBots(act.db, isAdmin(viewer) ? undefined : viewer.id).map((bot) => botView(act, bot)),
  }),
  video_calls: ({viewer}) => ({
    has_zoom_token: false,
    ...Object.fromEntries(conferenceSegments.map((name) => [tokenKeyOf(name), viewer.video_token === 1])),
  }),
  giphy: () => ({giphy_api_key: ''}),
  tenor: () => ({tenor_api_key: ''}),
  klipy: () => ({klipy_api_key: ''}),
  stop_words: () => ({stop_words: stopWords}),
  onboarding_steps: ({act, viewer}) => ({
    onboarding_steps: onboardingSteps(act.db, viewer.id),
    navigation_tour_video_url: null,
  }),
  realm_billing: () => ({realm_billing: {has_pending_sponsorship_request: false}}),
  device: ({act, viewer}) => ({devices: devicesOf(act.db, viewer.id)}),
  realm_embedded_bots: () => ({realm_embedded_bots: []}),
  realm_incoming_webhook_bots: () => ({realm_incoming_webhook_bots: []}),
  realm_user_settings_defaults({act}) {
    const {timezone: _timezone, ...defaults} = settingDefaults(act);
    return {realm_user_settings_defaults: {...defaults, ...settingChoices}};
  },
};
