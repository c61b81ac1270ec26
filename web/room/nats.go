package room

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// answerTime is how long the server may take to answer before a command fails with ErrCutOff.
const answerTime = 3 * time.Second

// connect starts the server inside if there is to be one, connects, and makes the bucket.
func (rs *Rooms) connect(ctx context.Context) (err error) {
	options := []nats.Option{
		nats.Name("imscope"), nats.MaxReconnects(-1), nats.ReconnectWait(250 * time.Millisecond), nats.ReconnectJitter(250*time.Millisecond, time.Second),
		nats.ReconnectBufSize(-1), // what cannot be sent fails at once: a command kept back would come late
		nats.PingInterval(5 * time.Second), nats.MaxPingsOutstanding(2),
		nats.DisconnectErrHandler(func(*nats.Conn, error) { rs.cutOff() }),
		nats.ReconnectHandler(func(*nats.Conn) {
			if rs.ctx.Err() == nil {
				rs.running.Go(rs.back)
			}
		}),
	}
	url := rs.config.NATS
	if url == "" {
		if err := rs.startInside(); err != nil {
			return err
		}
		options = append(options, nats.InProcessServer(rs.inside))
	}
	if rs.conn, err = nats.Connect(url, options...); err != nil {
		return fmt.Errorf("connect to NATS: %w", err)
	}
	if rs.js, err = jetstream.New(rs.conn); err == nil {
		err = rs.makeBucket(ctx)
	}
	if err != nil {
		return fmt.Errorf("bucket of the rooms: %w", err)
	}
	rs.connected.Store(true)
	return nil
}

// startInside starts a server in this process. It listens nowhere. Every message is written to its file before it is confirmed, so
// that nothing confirmed is lost when the process is killed; the disk is told to keep it every few seconds, which matters if the machine
// loses its power.
func (rs *Rooms) startInside() (err error) {
	if rs.dir, err = openFolder(rs.config.Dir); err != nil {
		return err
	}
	rs.inside, err = server.NewServer(&server.Options{ServerName: "imscope", DontListen: true, JetStream: true, StoreDir: rs.dir.path,
		SyncInterval: 5 * time.Second, NoLog: true, NoSigs: true, JetStreamMaxMemory: 16 << 20, JetStreamMaxStore: 8 << 30})
	if err != nil {
		return fmt.Errorf("NATS inside: %w", err)
	}
	rs.inside.Start()
	if !rs.inside.ReadyForConnections(10 * time.Second) {
		return errors.New("NATS inside: it did not start")
	}
	return nil
}

func (rs *Rooms) makeBucket(ctx context.Context) (err error) {
	ctx, cancel := context.WithTimeout(ctx, 3*answerTime)
	defer cancel()
	rs.kv, err = rs.js.CreateOrUpdateKeyValue(ctx, bucketConfig)
	return err
}

// bucketConfig keeps one value a key. Markers of what was removed go by themselves.
var bucketConfig = jetstream.KeyValueConfig{Bucket: bucketName, Description: "imscope: rooms that follow a presenter", History: 1,
	Storage: jetstream.FileStorage, LimitMarkerTTL: time.Minute}

func (rs *Rooms) disconnect() {
	if rs.conn != nil {
		rs.conn.Close()
	}
	if rs.inside != nil {
		rs.inside.Shutdown()
		rs.inside.WaitForShutdown()
	}
	if rs.dir != nil {
		rs.dir.close()
	}
}

// cutOff notes that the server is away.
func (rs *Rooms) cutOff() {
	rs.connected.Store(false)
	if rs.ctx.Err() == nil {
		rs.config.Log.Warn("rooms are cut off: the NATS server is away")
	}
	rs.eachHub((*hub).poke)
}

// back notes that the server is back: everything is watched anew, so that nothing which happened meanwhile is missed.
func (rs *Rooms) back() {
	for wait := time.Second; ; wait = min(2*wait, 10*time.Second) { // JetStream takes a while longer than the server to come back
		if err := rs.findBucket(); err == nil {
			break
		}
		select {
		case <-rs.ctx.Done():
			return
		case <-time.After(wait / 4):
		}
		if !rs.conn.IsConnected() {
			return // back is called again
		}
	}
	rs.connected.Store(true)
	rs.config.Log.Info("rooms are back: the NATS server has been found again")
	rs.eachHub((*hub).rewatch)
}

// findBucket makes sure that there is one: a server may come back with nothing.
func (rs *Rooms) findBucket() error {
	ctx, cancel := context.WithTimeout(rs.ctx, answerTime)
	defer cancel()
	if _, err := rs.kv.Status(ctx); !errors.Is(err, jetstream.ErrBucketNotFound) && !errors.Is(err, jetstream.ErrStreamNotFound) {
		return err
	}
	_, err := rs.js.CreateOrUpdateKeyValue(ctx, bucketConfig)
	return err
}

// told turns an error of NATS into one of ours.
func told(err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, jetstream.ErrKeyNotFound), errors.Is(err, jetstream.ErrKeyDeleted):
		return ErrUnknownRoom
	default:
		return fmt.Errorf("%w: %w", ErrCutOff, err)
	}
}
