import {videoProviders} from '#wire/objects/video-call.ts';

/** The video call providers that an organization can choose from. */
export const availableVideoProviders = {
  disabled: {name: 'None', id: videoProviders.none},
  jitsi_meet: {name: 'Jitsi Meet', id: videoProviders.jitsi},
  webex: {name: 'Conference', id: videoProviders.conference},
};

/** The Jitsi server of organizations that set none. */
export const serverJitsiUrl = 'https://meet.jit.si';
