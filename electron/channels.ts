/** The only two channels between the window and main: one to ask, one to be told. */
export const callChannel = 'threadsmith:call'
export const pushChannel = 'threadsmith:push'
