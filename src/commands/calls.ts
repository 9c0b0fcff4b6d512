import {startCall, startCallProblem} from '#ui/composer/video-call.ts';
import type {Command} from './command.ts';

export const callCommands: readonly Command[] = [
  {
    id: 'call.video',
    title: 'Start video call',
    aliases: ['video call', 'meeting', 'conference', 'jitsi', 'zoom', 'bigbluebutton', 'webex', 'nextcloud talk'],
    contexts: ['composer', 'nav'],
    disabledReason: (app) => startCallProblem(app, 'video'),
    run: (app) => startCall(app, 'video'),
  },
  {
    id: 'call.audio',
    title: 'Start audio call',
    aliases: ['voice call', 'phone call', 'audio only', 'call'],
    contexts: ['composer', 'nav'],
    disabledReason: (app) => startCallProblem(app, 'audio'),
    run: (app) => startCall(app, 'audio'),
  },
];
