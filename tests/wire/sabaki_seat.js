// Takes White's seat through @sabaki/gtp as Sabaki does: node sabaki_seat.js PROGRAM ARGUMENTS...
// Black has played D4. Prints one JSON object a line, {"name", "ok", "got"}; at {"name": "waiting"}
// Black is to answer by letter: C3 at first, G3 then. The exit status is 1 if any is not ok.
'use strict'
const {Controller, ControllerStateTracker} = require(process.env.SABAKI_GTP || '@sabaki/gtp')

const [engine, ...engineArguments] = process.argv.slice(2)
const controller = new Controller(engine, engineArguments)
const tracker = new ControllerStateTracker(controller)
const board = {komi: 0, boardsize: [9, 9]}
let failed = false

function check(name, ok, got = null) {
  failed = failed || !ok
  console.log(JSON.stringify({name, ok, got}))
}

const send = (name, ...args) => controller.sendCommand({name, args})
const play = text => text.split(' ').map((vertex, at) => {
  return {name: 'play', args: [at % 2 ? 'W' : 'B', vertex]}
})

async function synced(history) {
  if (controller.busy) send('protocol_version')  // Sabaki's way of ending what goes on
  try {
    await tracker.sync({...board, history})
    return true
  } catch (error) {
    return false
  }
}

async function opponent(vertex) {
  const answer = tracker.queueCommand({name: 'genmove', args: ['B']})
  console.log(JSON.stringify({name: 'waiting'}))
  const {content} = await answer
  check(`the opponent's ${vertex}`, content === vertex, content)
}

async function main() {
  controller.on('stderr', ({content}) => check('silence on standard error', false, content))
  controller.start()
  const names = ['name', 'version', 'protocol_version', 'list_commands']
  const answers = await Promise.all(names.map(name => send(name)))
  check('four commands at once', answers.every(answer => !answer.error))

  check('the game so far', await synced(play('D4')))
  check('a move of our own', await synced(play('D4 E5')))
  await opponent('C3')
  check('what the tracker thinks', tracker.state.history.length === 3, tracker.state.history)

  check('back to the start', await synced([]))
  check('forth again', await synced(play('D4 E5 C3')))
  check('another game', !(await synced(play('D4 E5 G7 G3'))))
  check('this one', await synced(play('D4 E5 C3 G7')))

  const waiting = tracker.queueCommand({name: 'genmove', args: ['B']})
  await send('name').catch(() => {})
  check('a ping ends the wait', (await waiting).content === 'interrupted', (await waiting).content)
  check('a look at the past', await synced(play('D4')))
  check('and at the present', await synced(play('D4 E5 C3 G7')))
  await opponent('G3')

  const started = Date.now()
  await controller.stop(180000)  // then it is killed
  check('quit ends the process', Date.now() - started < 170000, Date.now() - started)
  process.exit(failed ? 1 : 0)
}

main().catch(error => {
  check('no exception', false, String(error))
  process.exit(1)
})
