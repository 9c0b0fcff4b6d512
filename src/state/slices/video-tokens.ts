import {keepIfEqual} from '#state/model/immutable-updates.ts';
import {videoTokens as tokensIn} from '#wire/objects/organization.ts';
import {savedObject} from './saved-json.ts';
import {fromSnapshot, type Slice} from './slice.ts';

/** By provider: `zoom`, `webex`, `conference`. */
export const videoTokens: Slice<Readonly<Record<string, boolean>>, 'video_token'> = {
  initial: {},
  registered: fromSnapshot(['has_zoom_token', 'has_webex_token', 'has_conference_token'], tokensIn),
  saved: savedObject(),
  appliers: {
    video_token: (before, {provider, value}) => keepIfEqual(before, {...before, [provider]: value}),
  },
};
