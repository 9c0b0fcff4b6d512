import {videoProviders} from '#wire/objects/video-call.ts';

/** What this server can offer: nothing, a Jitsi server of one's own, or the conference service. */
export const availableVideoProviders = {
  disabled: {name: 'None', id: videoProviders.none},
  jitsi_meet: {name: 'Jitsi Meet', id: videoProviders.jitsi},
  webex: {name: 'Conference', id: videoProviders.conference},
};

/** Used when the organization names no Jitsi server of its own. */
export const serverJitsiUrl = 'https://meet.jit.si';
