/**
 * The `toolwright` command: chat, tools, call, generate and the playground will be reached from here.
 * It uses the library through its public doors only and holds nothing the library needs.
 */
export {}
