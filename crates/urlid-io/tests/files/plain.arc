filedesc://plain.arc 0.0.0.0 20260102030405 text/plain 77
1 0 InternetArchive
URL IP-address Archive-date Content-type Archive-length


http://example.com/ 192.0.2.0 20260102030400 text/html 394
HTTP/1.1 200 OK
Content-Type: text/html; charset=utf-8
Server: a test

<!doctype html><title>Page</title><p>lazy a fox brown jumps fox lazy brown jumps over dog jumps brown a over brown dog dog lazy dog brown a dog a jumps the fox over dog dog jumps lazy brown lazy jumps the a fox lazy a the jumps lazy brown brown lazy quick over brown dog lazy jumps the brown jumps dog the jumps a jumps
http://www.example.com/about?b=1&a=2 192.0.2.1 20260102030401 text/html 393
HTTP/1.1 404 Not Found
Content-Type: text/html
Server: a test

<!doctype html><title>Page</title><p>quick lazy a brown jumps jumps over lazy the the lazy fox a the jumps a brown dog dog the the jumps dog fox quick fox the quick fox jumps brown brown quick jumps brown the lazy over over quick dog lazy quick brown a a dog fox lazy a brown over lazy lazy jumps over the brown lazy fox quick
https://sub.example.com/photo.jpg 192.0.2.2 20260102030402 image/jpeg 377
HTTP/1.1 200 OK
Content-Type: image/jpeg
Server: a test

<!doctype html><title>Page</title><p>dog dog the the lazy a a brown over over over quick fox fox a dog dog jumps jumps brown the the jumps brown fox dog jumps over brown the brown quick jumps dog a quick dog lazy a dog a lazy fox dog dog quick a a jumps jumps jumps dog jumps lazy fox lazy dog jumps over dog a jumps
http://example.org/with space 192.0.2.3 20260102030403 text/plain 386
HTTP/1.1 200 OK
Content-Type: text/plain
Server: a test

<!doctype html><title>Page</title><p>brown jumps fox over over the the lazy brown brown dog jumps lazy jumps over quick over lazy jumps a a the a over brown the lazy jumps a lazy a dog fox lazy jumps dog lazy the quick quick dog fox over brown jumps fox fox over over dog a dog lazy dog a quick lazy dog dog over a quick lazy
dns:www.example.com 192.0.2.9 20260102030409 text/dns 49
20260102030409
www.example.com. 1 IN A 192.0.2.9

