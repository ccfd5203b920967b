# The files that the options are tried on, in the current folder.
set -eu
warc() { # TYPE URL HEAD-AND-BODY ID [ID OF THE RECORD BEFORE]
    content=$(printf "$3.") && content=${content%.}
    printf 'WARC/1.0\r\nWARC-Type: %s\r\nWARC-Target-URI: %s\r\nWARC-Date: 2026-01-02T03:04:05Z\r\n' "$1" "$2"
    printf 'WARC-Record-ID: <urn:uuid:%s>\r\nContent-Type: application/http; msgtype=%s\r\n' "$4" "$1"
    [ -z "${5:-}" ] || printf 'WARC-Concurrent-To: <urn:uuid:%s>\r\n' "$5"
    printf 'Content-Length: %d\r\n\r\n%s\r\n\r\n' "${#content}" "$content"
}
page='HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>a page'
cat > urls.txt <<'END'
https://docs.rs/
https://me:pass@a.github.io:8443/x/../y%41?sig=SECRET&utm_source=z&a=1#frag
https://b.github.io/
https://docs.rs/?sid=1
https://docs.rs/?utm_source=1
HTTP://WWW.Example.co.uk:80/a?q=1&q=2
https://docs.rs/
https://docs.rs/#top
docs.rs
hxxps://x[.]example/
ws://h/
https://e.example/	3
/relative?sig=1
https:c
a\\b
C|/x
ftp://f.example:8443/

# comment
https://long.example/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
END
printf '\377\n' >> urls.txt
printf '%s\n' https://docs.rs/ https://e.example/ https://www.example.co.uk/b https://c.github.io/ > more.txt
printf '%s\n' https://z.example/ http://github.io/ 'hxxp://q[.]example/' https://me@y.example./a/ https://www.y.example/a/b z.example 'https://x.example/	3' > plain.txt
cat > t.csv <<'END'
url,n,link
https://docs.rs/?sig=1&q=2&sid=1,1,https://a.github.io/
https://docs.rs/#top,2,https://x.example/?sig=1
HTTP://WWW.a.github.io:80/%41?sid=1&utm_source=2,3,
http://www.a.github.io/A?sid=2&utm_source=2,4,
docs.rs,5,
hxxps://x[.]example/,5,
ws://h/,6,no
END
printf '\377,7,no\n' >> t.csv
{
    warc request http://www.shop.example/pay 'POST /pay HTTP/1.1\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 3\r\n\r\na=1' 00000000-0000-0000-0000-000000000009
    warc response http://www.shop.example/pay "$page" 00000000-0000-0000-0000-000000000001 00000000-0000-0000-0000-000000000009
    warc response https://docs.rs/ "$page" 00000000-0000-0000-0000-000000000002
    warc response https://docs.rs/ "$page" 00000000-0000-0000-0000-000000000005
    warc response https://docs.rs/a?utm_source=1 "$page" 00000000-0000-0000-0000-000000000003
} > crawl.warc
{ cat crawl.warc; warc response http://undated.example/ "$page" 6 | grep -v Date; echo damage; warc response http://after.example/ "$page" 00000000-0000-0000-0000-000000000004; } > cut.warc
{
    printf 'url\tdigest\n'
    for host in $(seq -f h%g 40); do
        for page in 1 2 3 4 5 6 7 8; do
            for sid in 1 2; do
                # Each URL twice, so that the digest can be judged.
                printf 'http://%s.example/p?id=%s&sid=%s\t%s%s\n' $host $page $page$sid $host $page
                printf 'http://%s.example/p?id=%s&sid=%s\t%s%s\n' $host $page $page$sid $host $page
            done
        done
    done
} > crawl.tsv
{ cat crawl.tsv; printf 'bad url\t1\n'; } > bad.tsv
warc response http://more.example/ "$page" 00000000-0000-0000-0000-000000000007 > more.warc
{
    printf 'url\tstatus\n'
    for number in $(seq 80); do
        printf 'http://s.example/users/%s\t200\nhttp://s.example/posts/a-%s-b\t404\n' $number $number
        for time in 1 2 3 4 5 6 7 8; do printf 'http://s.example/api.method%s\t200\n' $number; done
    done
} > sites.tsv
tail -n +2 sites.tsv | cut -f 1 > sites.txt
urlid templates -q sites.txt -o site.templates
printf 'urlid-rules 1\n[*]\ndrop sid id\n' > site.rules
printf 'urlid-rules 1\n[*]\ndrop sid\n' > other.rules
printf '{"global":{"queryParams":["utm_source"],"topLevelSites":["*"]}}' > tracking.json
printf 'sig\nq\n' > names
head -c 32 /dev/zero | tr '\0' k > key
printf '// ===BEGIN ICANN DOMAINS===\ncom\n// ===END ICANN DOMAINS===\n// ===BEGIN PRIVATE DOMAINS===\nexample.co.uk\ngithub.io\n// ===END PRIVATE DOMAINS===\n' > one.psl
printf 'domain=docs\ttld=rs\ntld=github.io\n' > questions
urlid index add -q u.db urls.txt > out || test $? = 3
urlid index add -q v.db more.txt > out
urlid index add -q t.db --as web+drop-tracking@firefox-d12c2bc8 --tracking-list tracking.json more.txt > out
urlid index add -q r.db --as web+rules --rules site.rules more.txt > out
urlid index build -q d more.txt > out
urlid index build -q e plain.txt > out || test $? = 3
cp -r e bad && for file in bad/*.parquet; do printf x | dd of=$file bs=1 seek=200 conv=notrunc 2> out; done
urlid uniq -q --seen seen more.txt > out
cp -r seen bad.seen
for file in bad.seen/*.log; do printf damage | dd of=$file bs=1 seek=20 conv=notrunc 2> out; done
urlid uniq -q --seen seen urls.txt > /dev/full 2> out || true
urlid cdx make -q crawl.warc -o crawl.cdxj
urlid cdx make -q --by digest crawl.warc -o digests.cdxj
{ cat crawl.cdxj; echo 'zz)/ 2026 {"url": "http://other/"}'; echo 'zz)/ 2026 {}'; } > bad.cdxj
{ cat crawl.cdxj; printf '\377\n'; } > odd.cdxj
urlid cdx make -q crawl.warc -o zip.cdxj --zipnum 1
urlid list key -q --secret sec --public pub
urlid list make -q --sequence 1 --expires 2099-01-01 --sign sec --covers subdomains --routes routes -o a.list more.txt
urlid list make -q --sequence 2 --expires 2099-01-01 --sign sec --covers subdomains -o b.list more.txt plain.txt || test $? = 3
urlid list make -q --psl-sections icann --covers subdomains --routes icann.routes more.txt > out
urlid list make -q -o url.list more.txt
urlid list make -q --key key -o keyed.list more.txt
urlid list shards -q a.list --routes routes --bits 4 --sign sec -o shards
urlid list delta -q a.list b.list -o ab.delta
urlid id --kind hashed-uri more.txt > hashed.txt
printf '0.0.0.0 a.example\n0.0.0.0 github.io\n0.0.0.0 sub.a.example\n0.0.0.0 long.long.long.long.long.long.long.long.long.long.long.example\n' > hosts.txt
printf '||a.example^\n||b.example/x^\n@@||c.example^\n' > abp.txt
printf '%s\n' a.example 1,docs.rs > domains.txt
printf '<urlset><url><loc>https://docs.rs/</loc></url><url><loc>https://e.example/&x;</loc></url></urlset>\n' > sitemap.xml
printf '<urlset><url><loc>https://docs.rs/</loc></url></urlset>\n' > good.xml
rm out
cat > access.log <<'END'
192.0.2.1 - - [28/Nov/2026:10:00:00 +0000] "GET /a?token=SECRET&q=1 HTTP/1.1" 200 5 "https://docs.rs/?sig=1" "curl"
192.0.2.1 - - [28/Nov/2026:10:00:01 +0000] "GET /b#top HTTP/1.1" 200 5 "-" "curl"
no line of a log
END
